import { SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { ShadowDetails } from '#article/contract/values.js';
import type { Decision } from '../../api/decisions';
import { useMay } from '../../api/session';
import { FindingNotes, findingsIn, rulesOf } from '../../ui/proposals/finding-notes';
import { Proposals, useDecisions, type ProposedParagraph } from '../../ui/proposals/proposals';
import { ArticleAnswers } from './article-answers';
import { formatMeasure } from '../../ui/format';
import { Card, Hint } from '../../ui/card';

/** Shows a text with the changes that would bring it closer to the corpus, and the reasons (A7, A13). */
export default function ShadowReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as ShadowDetails;
  const { stateOf, isRejected, decide } = useDecisions(decision.id);
  const changes = details.changes.map(({ id }) => ({ change_id: id, accepted: !isRejected(id) }));
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
      state: stateOf(change.id),
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
        sessionId={decision.session_id}
        decide={mayWrite ? decide : undefined}
      >
        {changes.length > 0 && <Hint>{t('proposals.openApplied')}</Hint>}
        <ArticleAnswers
          decision={decision}
          reject={{
            reasonLabel: t('shadow.reason'),
            answerWith: (reason) => ({ action: 'reject', reason, changes }),
          }}
          accept={{
            label: t('shadow.approve', { count: changes.filter(({ accepted }) => accepted).length }),
            answer: { action: 'approve', changes },
          }}
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

/** Standard deviations that fill a bar. */
const WHOLE = 4;

/** Shows the deviation of a text's style from the corpus: one small bar per measure. */
function Deviations({ deviations }: Pick<ShadowDetails, 'deviations'>) {
  const { t } = useTranslation();
  if (deviations.length === 0) return null;
  return (
    <section aria-label={t('shadow.fingerprint')}>
      <Text fw={600}>{t('shadow.fingerprint')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {deviations.map(({ measure, text, corpus, distance }) => (
          <div key={measure}>
            <Text size="sm">{t(`measure.${measure}`, { defaultValue: measure })}</Text>
            <div
              className="timeline-track"
              title={t('shadow.distance', { distance: formatMeasure(distance, 1) })}
            >
              <span
                className="timeline-bar"
                style={{ left: 0, width: `${Math.min(100, (Math.abs(distance) / WHOLE) * 100)}%` }}
              />
            </div>
            <Hint size="xs">
              {t('shadow.measured', { text: formatMeasure(text, 2), corpus: formatMeasure(corpus, 2) })}
            </Hint>
          </div>
        ))}
      </SimpleGrid>
    </section>
  );
}
