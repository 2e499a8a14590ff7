import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { tellAgain } from '../../api/articles';
import type { Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { ProblemAlert } from '../../ui/problem-alert';

/** Has an approved article told again for LinkedIn, X, a newsletter and a short video (A13, A14). */
export function TellAgain({ run }: { run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('write');
  const telling = useMutation({
    mutationFn: () => tellAgain(run.session_id),
    onSuccess: ({ id }) => navigate({ to: '/articles/$runId', params: { runId: id } }),
  });
  const { approved } = run.progress.details as { approved?: boolean };
  if (!mayWrite || run.status !== 'completed' || run.mode !== 'author' || approved !== true) return null;
  return (
    <Stack align="flex-start" gap="sm">
      {telling.error && <ProblemAlert error={telling.error} />}
      <Button loading={telling.isPending} onClick={() => telling.mutate()}>
        {t('articles.tellAgain')}
      </Button>
    </Stack>
  );
}
