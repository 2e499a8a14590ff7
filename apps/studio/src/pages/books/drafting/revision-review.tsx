import { Button, Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { changesBetween, decideParagraphs, type Change } from '../../../api/chapters';
import { isBlockingError } from '../../../api/query-client';
import { useMay } from '../../../api/session';
import { BeforeAfter } from '../../../ui/before-after';
import { PageLoader } from '../../../ui/page-loader';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useSourceView, ViewChoice } from '../../../ui/reading/view-choice';

interface RevisionReviewProps {
  /** Session of the book, with the pictures of the text. */
  sessionId: string;
  chapterId: string;
  from: number;
  to: number;
}

/**
 * Lets a person accept or reject each changed paragraph; rejected changes leave the text byte-identical (X8).
 */
export function RevisionReview({ sessionId, chapterId, from, to }: RevisionReviewProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [isSource, setSource] = useSourceView();
  const { data, error, refetch } = useQuery(changesBetween(chapterId, from, to));
  /** Reasons of the rejected changes by ID, empty if none is given. */
  const [rejected, setRejected] = useState<ReadonlyMap<string, string>>(new Map());
  const deciding = useMutation({
    mutationFn: (changes: Change[]) =>
      decideParagraphs(chapterId, {
        from,
        to,
        decisions: changes.map(({ id }) => ({
          change_id: id,
          accepted: !rejected.has(id),
          reason: rejected.get(id)?.trim() || null,
        })),
      }),
  });
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader />;
  if (data.changes.length === 0) return <Text c="dimmed">{t('revision.none')}</Text>;
  const decide = (id: string, reason: string | null) => {
    const next = new Map(rejected);
    if (reason === null) next.delete(id);
    else next.set(id, reason);
    setRejected(next);
  };
  return (
    <Stack>
      <ViewChoice isSource={isSource} onChange={setSource} />
      {data.changes.map((change, index) => (
        <ChangeCard
          key={change.id}
          change={change}
          isSource={isSource}
          sessionId={sessionId}
          number={index + 1}
          reason={rejected.get(change.id) ?? null}
          onDecide={mayWrite ? (reason) => decide(change.id, reason) : null}
        />
      ))}
      {deciding.error && <ProblemAlert error={deciding.error} />}
      {mayWrite && (
        <Group justify="flex-end">
          <Button loading={deciding.isPending} onClick={() => deciding.mutate(data.changes)}>
            {t('revision.apply', { count: data.changes.length - rejected.size })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface ChangeCardProps {
  change: Change;
  isSource: boolean;
  sessionId: string;
  number: number;
  /** Reason of the rejection; null if the change is accepted. */
  reason: string | null;
  /** Rejects the change with a reason, or accepts it (null). Null if the user may only read. */
  onDecide: ((reason: string | null) => void) | null;
}

function ChangeCard({ change, isSource, sessionId, number, reason, onDecide }: ChangeCardProps) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="sm" component="article" aria-label={t('revision.change', { number: number })}>
      <BeforeAfter before={change.before} after={change.after} isSource={isSource} sessionId={sessionId} />
      {onDecide && (
        <SegmentedControl
          mt="xs"
          size="xs"
          aria-label={t('revision.decide', { number: number })}
          data={[
            { value: 'accept', label: t('revision.accept') },
            { value: 'reject', label: t('revision.reject') },
          ]}
          value={reason === null ? 'accept' : 'reject'}
          onChange={(value) => onDecide(value === 'accept' ? null : '')}
        />
      )}
      {onDecide && reason !== null && (
        <TextInput
          mt="xs"
          label={t('revision.reason', { number: number })}
          maxLength={2_000}
          value={reason}
          onChange={(event) => onDecide(event.currentTarget.value)}
        />
      )}
    </Paper>
  );
}
