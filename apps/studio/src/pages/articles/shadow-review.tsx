import { Paper, Stack, Title } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { ShadowDetails } from '../../api/articles';
import type { Schemas } from '../../api/client';
import type { Decision } from '../../api/decisions';
import { FindingList } from '../../ui/finding-list';
import { LazyMarkdownEditor } from '../../ui/lazy-markdown-editor';
import { PageLoader } from '../../ui/page-loader';
import { ArticleAnswers } from './article-answers';
import { Deviations } from './deviations';
import { Suggestions } from './suggestions';

/** Shows an annotated text next to its proposed version (A7, A13). */
export function ShadowReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const details = decision.details as ShadowDetails;
  const [focus, setFocus] = useState<Schemas['Finding'] | null>(null);
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
  const changes = details.changes.map(({ id }) => ({ change_id: id, accepted: !rejected.has(id) }));
  const nothing = () => undefined;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('shadow.title')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('shadow.title')}
        </Title>
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
      </Stack>
    </Paper>
  );
}
