import { useTranslation } from '../../i18n/i18n';
import type { ShadowDetails } from '#article/contract/values.js';
import { decideProposals, proposalsOf } from '../../api/reviews';
import type { Decision } from '../../api/decisions';
import { useMay } from '../../api/session';
import { FindingNotes, findingsIn, rulesOf } from '../../ui/proposals/finding-notes';
import type { ProposalState } from '../../ui/proposals/changed-words';
import { Proposals, type ProposedParagraph } from '../../ui/proposals/proposals';
import { ArticleAnswers } from './article-answers';
import { ListTable } from '../../ui/list-table';
import { formatMeasure } from '../../ui/format';
import { Card, Hint, useReady } from '../../ui/frames';

/** Shows a text with the changes that would bring it closer to the corpus, and the reasons (A7, A13). */
export default function ShadowReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as ShadowDetails;
  const { session_id: sessionId, run_id: runId } = decision;
  const [proposals, instead] = useReady(proposalsOf(sessionId, runId));
  if (instead) return instead;
  const { length } = details.changes;
  // Those of earlier rounds are before them.
  const rows = new Map(details.changes.map(({ id }, index) => [id, proposals.at(index - length)]));
  const count = [...rows.values()].filter((row) => row?.state !== 'rejected').length;
  const decide = (ids: string[], state: ProposalState) =>
    decideProposals(
      sessionId,
      runId,
      ids.flatMap((id) => rows.get(id)?.number ?? []),
      state,
    );
  const elsewhere = new Set(details.annotations.filter(({ overruled }) => !overruled));
  const paragraphs = partsOf(details).map(({ text, start, change }): ProposedParagraph => {
    const found = findingsIn(details.annotations, { start, end: start + text.length });
    for (const one of found) elsewhere.delete(one);
    const notes = <FindingNotes findings={found} />;
    if (!change) return { key: `text-${start}`, text, proposals: [], notes };
    const title = t('revision.change', { number: change.number });
    const span = { start: 0, end: text.length };
    const by = found.length > 0 ? rulesOf(found, t) : [t('rule.other')];
    const proposal = {
      id: change.id,
      span,
      after: change.after,
      title,
      by,
      notes,
      state: rows.get(change.id)?.state ?? 'open',
    };
    return { key: change.id, text, proposals: [proposal] };
  });
  return (
    <Card title={t('shadow.title')}>
      <Deviations deviations={details.deviations} />
      <FindingNotes findings={[...elsewhere]} />
      <Proposals
        label={t('shadow.yours')}
        paragraphs={paragraphs}
        sessionId={sessionId}
        decide={mayWrite && proposals.length >= length ? decide : undefined}
      >
        {length > 0 && <Hint>{t('proposals.openApplied')}</Hint>}
        <ArticleAnswers
          decision={decision}
          reject={{ reasonLabel: t('shadow.reason'), answerWith: (reason) => ({ action: 'reject', reason }) }}
          accept={{ label: t('shadow.approve', { count }), answer: { action: 'approve' } }}
        />
      </Proposals>
    </Card>
  );
}

interface Part {
  /** A changed part of the text, or a paragraph without a change. */
  text: string;
  start: number;
  change: { id: string; number: number; after: string } | null;
}

/** Blank lines between paragraphs. */
const BLANK = /\n\s*\n/;

/** Divides a text into its changed parts and the paragraphs between them. */
function partsOf({ text, changes }: Pick<ShadowDetails, 'text' | 'changes'>): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const keep = (end: number) => {
    for (const paragraph of text.slice(at, end).split(BLANK)) {
      const start = text.indexOf(paragraph, at);
      if (paragraph.trim() !== '') parts.push({ text: paragraph, start, change: null });
      at = start + paragraph.length;
    }
  };
  for (const [index, { id, before, after, base }] of changes.entries()) {
    // Questions that an older release asked lack the place.
    const start = base?.start ?? Math.max(at, text.indexOf(before, at));
    keep(start);
    parts.push({ text: before, start, change: { id, number: index + 1, after } });
    at = start + before.length;
  }
  keep(text.length);
  return parts;
}

/** Shows the deviation of a text's style from the corpus, by measure. */
function Deviations({ deviations }: Pick<ShadowDetails, 'deviations'>) {
  const { t } = useTranslation();
  if (deviations.length === 0) return null;
  const nameOf = (measure: string) => t(`measure.${measure}`, { defaultValue: measure });
  const figure = (key: 'text' | 'corpus' | 'distance', digits: number) => ({
    label: t(`shadow.${key}`),
    cell: (of: (typeof deviations)[number]) => formatMeasure(of[key], digits),
    isNumber: true,
  });
  return (
    <details>
      <summary>{t('shadow.fingerprint')}</summary>
      <ListTable
        items={deviations}
        minWidth={420}
        columns={[
          { label: t('shadow.measure'), cell: ({ measure }) => nameOf(measure) },
          figure('text', 2),
          figure('corpus', 2),
          figure('distance', 1),
        ]}
      />
    </details>
  );
}
