import { Button, Group, Progress, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SourceFile } from '../../api/source-files';
import { useTranslation } from '../../i18n/i18n';
import { ChosenFiles } from '../../ui/chosen-files';
import type { Chosen } from '../../ui/source-drop';
import { textProps, SmallButton } from '../../ui/actions';

interface ChosenDocumentProps {
  chosen: Chosen;
  /** Uploaded share of the files, 0…1; null before the upload. */
  sent: number | null;
  onWrite: (files: SourceFile<File>[], title: string) => void;
}

/** Lists the chosen files, asks for a title and starts the document. */
export default function ChosenDocument({ chosen, sent, onWrite }: ChosenDocumentProps) {
  const { t } = useTranslation();
  const [title, setTitle] = useState('');
  const { sources } = chosen.selection;
  const isSending = sent !== null;
  return (
    <Stack>
      <ChosenFiles chosen={chosen} />
      {sources.length > 0 && (
        <TextInput
          label={t('newDocument.title')}
          description={t('newDocument.titleHint')}
          maxLength={200}
          {...textProps(title, setTitle)}
        />
      )}
      {isSending && <Progress value={sent * 100} aria-label={t('newDocument.sending')} />}
      <Group justify="flex-end">
        <SmallButton size="sm" label={t('newDocument.clear')} onClick={chosen.clear} disabled={isSending} />
        <Button onClick={() => onWrite(sources, title)} disabled={sources.length === 0} loading={isSending}>
          {t('newDocument.write')}
        </Button>
      </Group>
    </Stack>
  );
}
