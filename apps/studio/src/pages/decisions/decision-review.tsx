import { lazy, Suspense } from 'react';
import { retryingImport } from '../../api/retrying-import';
import type { Decision } from '../../api/decisions';
import { PageLoader } from '../../ui/page-loader';
import { DecisionCard } from './decision-card';

const ResearchReview = lazy(
  retryingImport(async () => ({ default: (await import('../articles/research-review')).ResearchReview })),
);
const DraftReview = lazy(
  retryingImport(async () => ({ default: (await import('../articles/draft-review')).DraftReview })),
);
const ShadowReview = lazy(
  retryingImport(async () => ({ default: (await import('../articles/shadow-review')).ShadowReview })),
);
const PlanApproval = lazy(
  retryingImport(async () => ({ default: (await import('../plans/approval-card')).PlanApproval })),
);

/** Shows a question in the form that its own page uses, or else in a form generated from its schema. */
export function DecisionReview({ decision }: { decision: Decision }) {
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
