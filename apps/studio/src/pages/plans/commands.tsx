import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { sendCommand } from '../../api/plans';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { ConfirmButton } from '../../ui/confirm-button';
import { ProblemAlert } from '../../ui/problem-alert';

/** Re-plans a running plan, or ends it (P4). */
export function Commands({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const [requirement, setRequirement] = useState('');
  const sending = useMutation({
    mutationFn: (command: Schemas['PlanCommand']) => sendCommand(runId, command),
    onSuccess: () => setRequirement(''),
  });
  const replan = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate({ type: 'replan_dag', new_requirement: requirement.trim() });
  };
  if (!useMay('write')) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <form onSubmit={replan}>
          <Group align="flex-end">
            <TextInput
              flex={1}
              miw={200}
              label={t('plans.requirement')}
              maxLength={4_000}
              value={requirement}
              onChange={(event) => setRequirement(event.currentTarget.value)}
            />
            <Button
              type="submit"
              variant="default"
              disabled={requirement.trim() === ''}
              loading={sending.isPending}
            >
              {t('plans.replan')}
            </Button>
            <ConfirmButton
              size="sm"
              label={t('plans.abort')}
              confirm={t('plans.abortNow')}
              consequence={t('run.cancelText')}
              onConfirm={() => sending.mutate({ type: 'abort' })}
            />
          </Group>
        </form>
        {sending.error && <ProblemAlert error={sending.error} />}
      </Stack>
    </Paper>
  );
}
