import { ActionButton, ConfirmedAction } from '../../ui/actions';
import { useState } from 'react';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { ApiProblem } from '../../api/api-query';
import { startDocument } from '../../api/documents';
import type { Run } from '../../api/runs';

interface WriteDocumentProps {
  sessionId: string;
  label: string;
  disabled?: boolean;
  /** Offers to write only what has changed since it was written. */
  isWritten?: boolean;
  onStarted?: (run: Run) => void;
}

/** Writes a document from its sources. If changes were accepted since it was written, it asks before it loses them. */
export function WriteDocument(props: WriteDocumentProps) {
  const { sessionId, label, disabled = false, isWritten = false, onStarted } = props;
  const { t } = useTranslation();
  const [wouldLose, setWouldLose] = useState(false);
  const start = async (inputs: Parameters<typeof startDocument>[1]) => {
    try {
      const run = await startDocument(sessionId, inputs);
      setWouldLose(false);
      onStarted?.(run);
    } catch (error) {
      if (!(error instanceof ApiProblem && error.problem.code === 'changes_would_be_lost')) throw error;
      setWouldLose(true);
    }
  };
  const onlyChanged = { label: t('document.onlyChanged'), act: () => start({ only_changed: true }) };
  if (wouldLose)
    return (
      <Stack gap="xs" align="flex-start" role="alert">
        <Text size="sm">{t('document.wouldLose')}</Text>
        <ActionButton {...onlyChanged} />
        <ConfirmedAction
          size="sm"
          label={t('document.discardChanges')}
          confirm={t('document.discardNow')}
          act={() => start({ discard_changes: true })}
        />
      </Stack>
    );
  const look = { disabled, group: sessionId };
  return (
    <>
      {isWritten && <ActionButton {...look} {...onlyChanged} />}
      <ActionButton
        {...look}
        variant={isWritten ? 'default' : 'filled'}
        label={label}
        act={() => start({})}
      />
    </>
  );
}
