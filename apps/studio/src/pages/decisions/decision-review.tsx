import type { ComponentType } from 'react';
import type { Decision } from '../../api/decisions';
import { lazyPart } from '../../ui/lazy-part';
import { DecisionCard } from './decision-card';

const PlanApproval = lazyPart(() => import('../plans/plan-steps'));

/** Forms of their own, by type of question. */
const REVIEWS: Record<string, ComponentType<{ decision: Decision }>> = {
  article_research: lazyPart(() => import('../articles/research-review')),
  article_draft: lazyPart(() => import('../articles/draft-review')),
  article_shadow: lazyPart(() => import('../articles/shadow-review')),
  plan_approval: PlanApproval,
  plan_outcome: PlanApproval,
};

/** Shows an open question in the form that its own page uses, or else in a form generated from its schema. */
export default function DecisionReview({ decision }: { decision: Decision }) {
  const Review = (decision.status === 'open' && REVIEWS[decision.decision_type]) || DecisionCard;
  return <Review decision={decision} />;
}
