import { lazy, Suspense } from 'react';
import { retryingImport } from '../../api/retrying-import';
import type { Decision } from '../../api/decisions';
import { PageLoader } from '../../ui/page-loader';
import { DecisionCard } from './decision-card';

const ResearchReview = lazy(retryingImport(() => import('../articles/research-review')));
const DraftReview = lazy(retryingImport(() => import('../articles/draft-review')));
const ShadowReview = lazy(retryingImport(() => import('../articles/shadow-review')));
const PlanApproval = lazy(retryingImport(() => import('../plans/approval-card')));

/** Shows a question in the form that its own page uses, or else in a form generated from its schema. */
export default function DecisionReview({ decision }: { decision: Decision }) {
  return (
    <Suspense fallback={<PageLoader />}>
      <Review decision={decision} />
    </Suspense>
  );
}

function Review({ decision }: { decision: Decision }) {
  switch (decision.decision_type) {
    case 'article_research':
      return <ResearchReview decision={decision} />;
    case 'article_draft':
      return <DraftReview decision={decision} />;
    case 'article_shadow':
      return <ShadowReview decision={decision} />;
    case 'plan_approval':
    case 'plan_outcome':
      return <PlanApproval decision={decision} />;
    default:
      return <DecisionCard decision={decision} />;
  }
}
