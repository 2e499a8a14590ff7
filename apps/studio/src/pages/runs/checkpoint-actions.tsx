import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { fork, restore } from '../../api/history';
import { isOver, type Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { ConfirmButton } from '../../ui/confirm-button';
import { ProblemAlert } from '../../ui/problem-alert';

interface CheckpointActionsProps {
  run: Run;
  checkpointId: string;
}

/** Continues from a checkpoint, in this session or in a copy (X5). */
export function CheckpointActions({ run, checkpointId }: CheckpointActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const forking = useMutation({
    mutationFn: () => fork(run.session_id, run.id, checkpointId),
    onSuccess: ({ run: { id } }) => navigate({ to: '/runs/$runId', params: { runId: id } }),
  });
  const restoring = useMutation({
    mutationFn: () => restore(run.session_id, run.id, checkpointId),
    onSuccess: ({ id }) => navigate({ to: '/runs/$runId', params: { runId: id } }),
  });
  const error = forking.error ?? restoring.error;
  if (!useMay('write')) return null;
  return (
    <>
      <Group gap="xs" align="flex-start">
        <Button size="xs" variant="default" loading={forking.isPending} onClick={() => forking.mutate()}>
          {t('run.fork')}
        </Button>
        <ConfirmButton
          label={t('run.restore')}
          confirm={t('run.restoreNow')}
          consequence={t('run.restoreText')}
          loading={restoring.isPending}
          disabled={!isOver(run)}
          onConfirm={() => restoring.mutate()}
        />
      </Group>
      {error && <ProblemAlert error={error} />}
    </>
  );
}
