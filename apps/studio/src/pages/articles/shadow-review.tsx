import { Paper, Stack, SimpleGrid, Text, Button, Group } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { ShadowDetails, ArticleChange } from '#article/contract/values.js';
import type { Schemas } from '../../api/client';
import type { Decision } from '../../api/decisions';
import { FindingList } from '../../ui/finding-list';
import { LazyMarkdownEditor } from '../../ui/lazy-markdown-editor';
import { PageLoader } from '../../ui/page-loader';
import { ArticleAnswers } from './article-answers';
import { formatMeasure } from '../../ui/format';
import { BeforeAfter } from '../../ui/before-after';
import { Card, Hint } from '../../ui/card';

/** Shows an annotated text next to its proposed version (A7, A13). */
export default function ShadowReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const details = decision.details as ShadowDetails;
  const [focus, setFocus] = useState<Schemas['Finding'] | null>(null);
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
  const changes = details.changes.map(({ id }) => ({ change_id: id, accepted: !rejected.has(id) }));
  const nothing = () => undefined;
  return (
    <Card title={t('shadow.title')}>
      <Suspense fallback={<PageLoader />}>
        <div className="side-by-side">
          <LazyMarkdownEditor
            label={t('shadow.yours')}
            content={details.text}
            marks={details.annotations}
            focus={focus}
            readOnly
            onChange={nothing}
          />
          <LazyMarkdownEditor
            label={t('shadow.proposed')}
            content={details.corrected_version}
            marks={[]}
            focus={null}
            readOnly
            onChange={nothing}
          />
        </div>
      </Suspense>
      <Suggestions
        sessionId={decision.session_id}
        changes={details.changes}
        rejected={rejected}
        onChange={setRejected}
      />
      {details.annotations.length > 0 && <FindingList findings={details.annotations} onChoose={setFocus} />}
      <Deviations deviations={details.deviations} />
      <ArticleAnswers
        decision={decision}
        reject={{
          reasonLabel: t('shadow.reason'),
          answerWith: (reason) => ({ action: 'reject', reason, changes }),
        }}
        accept={{
          label: t('shadow.approve', { count: changes.length - rejected.size }),
          answer: { action: 'approve', changes },
        }}
      />
    </Card>
  );
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

interface SuggestionsProps {
  /** Session with the pictures of the text. */
  sessionId: string;
  changes: ArticleChange[];
  /** Ids of the rejected changes. */
  rejected: ReadonlySet<string>;
  onChange: (rejected: ReadonlySet<string>) => void;
}

/** Lists the suggested changes, each accepted or rejected with one click. */
function Suggestions({ sessionId, changes, rejected, onChange }: SuggestionsProps) {
  const { t } = useTranslation();
  const toggle = (id: string) => {
    const next = new Set(rejected);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <Stack gap="xs">
      {changes.map((change, index) => (
        <Paper
          key={change.id}
          withBorder
          p="xs"
          component="article"
          aria-label={t('revision.change', { number: index + 1 })}
        >
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <BeforeAfter before={change.before} after={change.after} sessionId={sessionId} />
            <Button
              size="xs"
              variant={rejected.has(change.id) ? 'default' : 'light'}
              aria-pressed={!rejected.has(change.id)}
              onClick={() => toggle(change.id)}
            >
              {t(rejected.has(change.id) ? 'shadow.left' : 'shadow.taken')}
            </Button>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
