import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { writeDocument } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import {
  addChecked,
  checkPicked,
  type PickedFile,
  type Selection,
  type SourceFile,
  withSources,
} from '../../api/source-files';
import { LeftOutFiles } from '../../ui/left-out-files';
import { ProblemAlert } from '../../ui/problem-alert';
import { ChosenFiles } from './chosen-files';

const NOTHING: Selection<File> = { sources: [], leftOut: [], notCarried: [] };
const loadExample = retryingImport(() => import('./example'));

/** Collects dropped files or folders and a title, and starts the document. */
export default function NewDocument() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { selection, adding, change, clear } = useSelection();
  const { sources } = selection;
  const [title, setTitle] = useState('');
  const [sent, setSent] = useState(0);
  const isDragging = useDraggedFiles();
  const zone = useDropzone({ onDrop: (dropped) => adding.mutate(dropped) });
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
  const error = adding.error ?? example.error ?? writing.error;
  return (
    <Stack>
      <div
        {...zone.getRootProps({
          className: 'drop-zone',
          'data-active': zone.isDragActive,
          'data-whole-page': isDragging,
        })}
      >
        <input {...zone.getInputProps({ 'aria-label': t('newDocument.choose') })} />
        <Text>{t('newDocument.drop')}</Text>
        <Text size="sm" c="dimmed">
          {t('newDocument.kinds')}
        </Text>
      </div>
      {selection === NOTHING && (
        <Button
          variant="subtle"
          loading={example.isPending || writing.isPending}
          onClick={() => example.mutate()}
        >
          {t('newDocument.example')}
        </Button>
      )}
      <ChosenFiles sources={sources} onChange={change} />
      <LeftOutFiles leftOut={selection.leftOut} notCarried={selection.notCarried} />
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
      {selection !== NOTHING && (
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

/** Returns the chosen files, a mutation that adds some, and functions that replace or clear them. */
function useSelection() {
  const [selection, setSelection] = useState(NOTHING);
  const adding = useMutation({
    mutationFn: (dropped: (File & PickedFile)[]) => checkPicked<File>(dropped),
    onSuccess: (checked) => setSelection((known) => addChecked(known, checked)),
  });
  return {
    selection,
    adding,
    change: (sources: SourceFile<File>[]) => setSelection((known) => withSources(known, sources)),
    clear: () => setSelection(NOTHING),
  };
}

/** Returns whether files are dragged over the page; the drop zone then covers it. */
function useDraggedFiles(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const enter = ({ dataTransfer }: DragEvent) =>
      setDragging(dataTransfer?.types.includes('Files') ?? false);
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setDragging(false);
    const end = () => setDragging(false);
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', end, true);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', end, true);
    };
  }, []);
  return isDragging;
}
