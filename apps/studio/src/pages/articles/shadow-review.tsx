import { Button, Group, Paper, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerArticle, type ShadowDetails } from '../../api/articles';
import type { Schemas } from '../../api/client';
import type { Decision } from '../../api/decisions';
import { useMay } from '../../api/session';
import { FindingList } from '../../ui/finding-list';
import { LazyMarkdownEditor } from '../../ui/lazy-markdown-editor';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { Deviations } from './deviations';
import { Suggestions } from './suggestions';
import { StopArticle } from './stop-article';

/** Shows an annotated text next to its proposed version (A7, A13). */
export function ShadowReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as ShadowDetails;
  const [focus, setFocus] = useState<Schemas['Finding'] | null>(null);
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
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
        <Suggestions changes={details.changes} rejected={rejected} onChange={setRejected} />
        {details.annotations.length > 0 && <FindingList findings={details.annotations} onChoose={setFocus} />}
        <Deviations deviations={details.deviations} />
        {mayWrite && <Answers decision={decision} changes={details.changes} rejected={rejected} />}
      </Stack>
    </Paper>
  );
}

interface AnswersProps {
  decision: Decision;
  changes: ShadowDetails['changes'];
  /** Ids of the rejected changes. */
  rejected: ReadonlySet<string>;
}

function Answers({ decision, changes, rejected }: AnswersProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const answering = useMutation({
    mutationFn: (action: 'approve' | 'reject' | 'stop') =>
      answerArticle(decision.id, {
        action,
        ...(action === 'reject' ? { reason: reason.trim() } : {}),
        ...(action === 'stop'
          ? {}
          : { changes: changes.map(({ id }) => ({ change_id: id, accepted: !rejected.has(id) })) }),
      }),
  });
  return (
    <>
      {answering.error && <ProblemAlert error={answering.error} />}
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          label={t('shadow.reason')}
          maxLength={8_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={reason.trim() === '' || answering.isPending}
          onClick={() => answering.mutate('reject')}
        >
          {t('draft.reject')}
        </Button>
        <StopArticle isBusy={answering.isPending} onStop={() => answering.mutate('stop')} />
        <Button loading={answering.isPending} onClick={() => answering.mutate('approve')}>
          {t('shadow.approve', { count: changes.length - rejected.size })}
        </Button>
      </Group>
    </>
  );
}
