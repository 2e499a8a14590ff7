import { Button, Group, Progress, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { writeDocument } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import { checkPicked, type SourceFile } from '../../api/source-files';
import { ProblemAlert } from '../../ui/problem-alert';
import { ChosenFiles, SourceDrop, useSelection } from '../../ui/source-drop';

const loadExample = retryingImport(() => import('./example'));

/** Collects dropped files or folders and a title, and starts the document. */
export default function NewDocument() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const chosen = useSelection();
  const { selection, isEmpty, clear } = chosen;
  const { sources } = selection;
  const [title, setTitle] = useState('');
  const [sent, setSent] = useState(0);
  const writing = useMutation({
    mutationFn: (files: SourceFile<File>[]) => writeDocument(files, title.trim(), setSent),
    onSuccess: async ({ sessionId }) => {
      await client.invalidateQueries({ queryKey: ['sessions'] });
      await navigate({ to: '/documents/$sessionId', params: { sessionId } });
    },
  });
  const example = useMutation({
    mutationFn: async () =>
      (await checkPicked(await (await loadExample()).exampleFiles())) as SourceFile<File>[],
    onSuccess: (files) => writing.mutate(files),
  });
  const error = example.error ?? writing.error;
  return (
    <Stack>
      <SourceDrop chosen={chosen} />
      {isEmpty && (
        <Button
          variant="subtle"
          loading={example.isPending || writing.isPending}
          onClick={() => example.mutate()}
        >
          {t('newDocument.example')}
        </Button>
      )}
      <ChosenFiles chosen={chosen} />
      {sources.length > 0 && (
        <TextInput
          label={t('newDocument.title')}
          description={t('newDocument.titleHint')}
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      )}
      {error && <ProblemAlert error={error} />}
      {writing.isPending && <Progress value={sent * 100} aria-label={t('newDocument.sending')} />}
      {!isEmpty && (
        <Group justify="flex-end">
          <Button variant="default" onClick={clear} disabled={writing.isPending}>
            {t('newDocument.clear')}
          </Button>
          <Button
            onClick={() => writing.mutate(sources)}
            disabled={sources.length === 0}
            loading={writing.isPending}
          >
            {t('newDocument.write')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
