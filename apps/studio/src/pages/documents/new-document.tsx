import { Button, Group, List, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { writeDocument } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import {
  addChecked,
  checkPicked,
  type CheckedFile,
  type PickedFile,
  type Selection,
} from '../../api/source-files';
import { LeftOutFiles } from '../../ui/left-out-files';
import { ProblemAlert } from '../../ui/problem-alert';

const SHOWN = 8;
const NOTHING: Selection<File> = { sources: [], leftOut: [], notCarried: [] };
const loadExample = retryingImport(() => import('./example'));

/** Collects dropped files or folders and a title, and starts the document. */
export default function NewDocument() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { selection, adding, example, clear } = useSelection();
  const { sources } = selection;
  const [title, setTitle] = useState('');
  const [sent, setSent] = useState(0);
  const zone = useDropzone({ onDrop: (dropped) => adding.mutate(dropped) });
  const writing = useMutation({
    mutationFn: () => writeDocument(sources, title.trim(), setSent),
    onSuccess: async ({ sessionId }) => {
      await client.invalidateQueries({ queryKey: ['sessions'] });
      await navigate({ to: '/documents/$sessionId', params: { sessionId } });
    },
  });
  return (
    <Stack>
      <div {...zone.getRootProps({ className: 'drop-zone', 'data-active': zone.isDragActive })}>
        <input {...zone.getInputProps({ 'aria-label': t('newDocument.choose') })} />
        <Text>{t('newDocument.drop')}</Text>
        <Text size="sm" c="dimmed">
          {t('newDocument.kinds')}
        </Text>
      </div>
      {sources.length === 0 && (
        <Button variant="subtle" loading={example.isPending} onClick={() => example.mutate()}>
          {t('newDocument.example')}
        </Button>
      )}
      {example.error && <ProblemAlert error={example.error} />}
      {adding.error && <ProblemAlert error={adding.error} />}
      <ChosenFiles names={sources.map(({ name }) => name)} />
      <LeftOutFiles leftOut={selection.leftOut} notCarried={selection.notCarried} />
      <TextInput
        label={t('newDocument.title')}
        description={t('newDocument.titleHint')}
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      {writing.error && <ProblemAlert error={writing.error} />}
      {writing.isPending && <Progress value={sent * 100} aria-label={t('newDocument.sending')} />}
      <Group justify="flex-end">
        {selection !== NOTHING && (
          <Button variant="default" onClick={clear} disabled={writing.isPending}>
            {t('newDocument.clear')}
          </Button>
        )}
        <Button onClick={() => writing.mutate()} disabled={sources.length === 0} loading={writing.isPending}>
          {t('newDocument.write')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Returns the chosen files, and the mutations that add to them. */
function useSelection() {
  const [selection, setSelection] = useState(NOTHING);
  const add = (checked: readonly CheckedFile<File>[]) => setSelection((known) => addChecked(known, checked));
  const adding = useMutation({
    mutationFn: (dropped: (File & PickedFile)[]) => checkPicked<File>(dropped),
    onSuccess: add,
  });
  const example = useMutation({
    mutationFn: async () => checkPicked(await (await loadExample()).exampleFiles()),
    onSuccess: add,
  });
  return { selection, adding, example, clear: () => setSelection(NOTHING) };
}

function ChosenFiles({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  if (names.length === 0) return null;
  return (
    <List size="sm" aria-label={t('newDocument.files', { count: names.length })}>
      {names.slice(0, SHOWN).map((name) => (
        <List.Item key={name}>{name}</List.Item>
      ))}
      {names.length > SHOWN && (
        <List.Item>{t('newDocument.others', { count: names.length - SHOWN })}</List.Item>
      )}
    </List>
  );
}
