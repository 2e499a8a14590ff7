import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { inputsOf } from '../../api/documents';
import { isOver, type Run } from '../../api/runs';
import { formatPercent } from '../../ui/format';
import { useRunWords } from '../../ui/run-words';
import { usePhrases } from '../../ui/use-phrases';

interface DocumentDetails {
  coverage?: number | null;
  current_file_index?: number | null;
}

/** Shows the progress of a run: the share of written sources, and its current phase. */
export function ProgressLine({ run }: { run: Run }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const render = usePhrases();
  const { coverage = null } = run.progress.details as DocumentDetails;
  const written = useShareWritten(run);
  const phase =
    words.phase(run.progress.phase ?? '') ||
    render(run.progress.phrase, run.progress.label ?? t('run.beginning'));
  const isDone = run.status === 'completed';
  return (
    <Stack gap={4} mt="sm">
      {run.status !== 'queued' && (
        <Progress
          value={isDone ? 100 : written.share * 100}
          color={isDone || !isOver(run) ? undefined : 'gray'}
          animated={run.status === 'running'}
          aria-label={t('run.written')}
        />
      )}
      <Text size="sm" role="status">
        {isDone && coverage !== null && t('run.coverage', { share: formatPercent(coverage) })}
        {!isDone && !isOver(run) && phase}
        {!isDone && written.files > 0 && (
          <>
            {isOver(run) ? '' : ' · '}
            {t('run.sourcesWritten', { done: written.done, count: written.files })}
          </>
        )}
      </Text>
    </Stack>
  );
}

/**
 * Returns the share of the sources' bytes that is written and checked, 0…1, and the number of files. It never
 * decreases, although a run may rewrite a chapter.
 */
function useShareWritten(run: Run): { share: number; done: number; files: number } {
  const isDocument = run.kind === 'document';
  const { data } = useQuery({ ...inputsOf(run.session_id), enabled: isDocument });
  const highest = useRef({ run: run.id, done: 0 });
  const { current_file_index: index } = run.progress.details as DocumentDetails;
  if (!isDocument) {
    const { done, total } = run.progress;
    return { share: total ? (done ?? 0) / total : 0, done: 0, files: 0 };
  }
  const before = highest.current.run === run.id ? highest.current.done : 0;
  const done = Math.max(before, index ?? 0);
  highest.current = { run: run.id, done };
  const sizes = data?.items.map(({ size }) => size) ?? [];
  const sum = (files: number[]) => files.reduce((bytes, size) => bytes + size, 0);
  const all = sum(sizes);
  return { share: all === 0 ? 0 : sum(sizes.slice(0, done)) / all, done, files: sizes.length };
}
