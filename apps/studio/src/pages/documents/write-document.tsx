import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { ApiProblem } from '../../api/api-query';
import { startDocument } from '../../api/documents';
import type { Run } from '../../api/runs';
import { ConfirmButton } from '../../ui/actions';
import { ProblemAlert } from '../../ui/frames';

interface WriteDocumentProps {
  sessionId: string;
  label: string;
  disabled?: boolean;
  /** Offers to write only what has changed since it was written. */
  isWritten?: boolean;
  onStarted?: (run: Run) => void;
}

/** Writes a document from its sources. If changes were accepted since it was written, it asks before it loses them. */
export function WriteDocument({
  sessionId,
  label,
  disabled = false,
  isWritten = false,
  onStarted,
}: WriteDocumentProps) {
  const { t } = useTranslation();
  const starting = useMutation({
    mutationFn: (inputs: Parameters<typeof startDocument>[1]) => startDocument(sessionId, inputs),
    onSuccess: (run) => onStarted?.(run),
  });
  const { error, isPending } = starting;
  if (error instanceof ApiProblem && error.problem.code === 'changes_would_be_lost')
    return (
      <Stack gap="xs" align="flex-start" role="alert">
        <Text size="sm">{t('document.wouldLose')}</Text>
        <Button size="sm" loading={isPending} onClick={() => starting.mutate({ only_changed: true })}>
          {t('document.onlyChanged')}
        </Button>
        <ConfirmButton
          size="sm"
          label={t('document.discardChanges')}
          confirm={t('document.discardNow')}
          loading={isPending}
          onConfirm={() => starting.mutate({ discard_changes: true })}
        />
      </Stack>
    );
  return (
    <>
      {isWritten && (
        <Button
          disabled={disabled}
          loading={isPending}
          onClick={() => starting.mutate({ only_changed: true })}
        >
          {t('document.onlyChanged')}
        </Button>
      )}
      <Button
        variant={isWritten ? 'default' : 'filled'}
        disabled={disabled}
        loading={isPending}
        onClick={() => starting.mutate({})}
      >
        {label}
      </Button>
      {error && <ProblemAlert error={error} />}
    </>
  );
}
