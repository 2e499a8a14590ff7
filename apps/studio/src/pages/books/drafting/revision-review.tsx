import { Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changesBetween, decideParagraphs, type Change } from '../../../api/chapters';
import { isBlockingError } from '../../../api/query-client';
import { useMay } from '../../../api/session';
import { BeforeAfter } from '../../../ui/before-after';
import { PageLoader } from '../../../ui/page-loader';
import { ProblemAlert } from '../../../ui/problem-alert';

interface RevisionReviewProps {
  chapterId: string;
  from: number;
  to: number;
}

/**
 * Lets a person accept or reject each changed paragraph; rejected changes leave the text byte-identical (X8).
 */
export function RevisionReview({ chapterId, from, to }: RevisionReviewProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const { data, error, refetch } = useQuery(changesBetween(chapterId, from, to));
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
  const deciding = useMutation({
    mutationFn: (changes: Change[]) =>
      decideParagraphs(chapterId, {
        from,
        to,
        decisions: changes.map(({ id }) => ({ change_id: id, accepted: !rejected.has(id) })),
      }),
  });
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader />;
  if (data.changes.length === 0) return <Text c="dimmed">{t('revision.none')}</Text>;
  const decide = (id: string, isAccepted: boolean) => {
    const next = new Set(rejected);
    if (isAccepted) next.delete(id);
    else next.add(id);
    setRejected(next);
  };
  return (
    <Stack>
      {data.changes.map((change, index) => (
        <ChangeCard
          key={change.id}
          change={change}
          number={index + 1}
          isAccepted={!rejected.has(change.id)}
          onDecide={mayWrite ? (isAccepted) => decide(change.id, isAccepted) : null}
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
  number: number;
  isAccepted: boolean;
  /** Null if the user may only read. */
  onDecide: ((isAccepted: boolean) => void) | null;
}

function ChangeCard({ change, number, isAccepted, onDecide }: ChangeCardProps) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="sm" component="article" aria-label={t('revision.change', { number: number })}>
      <BeforeAfter before={change.before} after={change.after} />
      {onDecide && (
        <SegmentedControl
          mt="xs"
          size="xs"
          aria-label={t('revision.decide', { number: number })}
          data={[
            { value: 'accept', label: t('revision.accept') },
            { value: 'reject', label: t('revision.reject') },
          ]}
          value={isAccepted ? 'accept' : 'reject'}
          onChange={(value) => onDecide(value === 'accept')}
        />
      )}
    </Paper>
  );
}
