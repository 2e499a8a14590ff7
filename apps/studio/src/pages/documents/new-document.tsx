import { Button, Group, List, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { writeDocument } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import { ProblemAlert } from '../../ui/problem-alert';

const SHOWN = 8;
const loadExample = retryingImport(() => import('./example'));

/** Drop files or a folder, name the document, write it. */
export default function NewDocument() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [files, setFiles] = useState<File[]>([]);
  const [title, setTitle] = useState('');
  const [sent, setSent] = useState(0);
  const zone = useDropzone({ onDrop: (dropped) => setFiles((known) => mergeByName(known, dropped)) });
  const writing = useMutation({
    mutationFn: () => writeDocument(files, title.trim(), setSent),
    onSuccess: async ({ sessionId }) => {
      await client.invalidateQueries({ queryKey: ['sessions'] });
      await navigate({ to: '/documents/$sessionId', params: { sessionId } });
    },
  });
  const example = useMutation({
    mutationFn: async () => (await loadExample()).exampleFiles(),
    onSuccess: setFiles,
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
      {files.length === 0 && (
        <Button variant="subtle" loading={example.isPending} onClick={() => example.mutate()}>
          {t('newDocument.example')}
        </Button>
      )}
      {example.error && <ProblemAlert error={example.error} />}
      <ChosenFiles files={files} />
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
        {files.length > 0 && (
          <Button variant="default" onClick={() => setFiles([])} disabled={writing.isPending}>
            {t('newDocument.clear')}
          </Button>
        )}
        <Button onClick={() => writing.mutate()} disabled={files.length === 0} loading={writing.isPending}>
          {t('newDocument.write')}
        </Button>
      </Group>
    </Stack>
  );
}

function ChosenFiles({ files }: { files: readonly File[] }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <List size="sm" aria-label={t('newDocument.files', { count: files.length })}>
      {files.slice(0, SHOWN).map((file) => (
        <List.Item key={file.name}>{file.name}</List.Item>
      ))}
      {files.length > SHOWN && (
        <List.Item>{t('newDocument.others', { count: files.length - SHOWN })}</List.Item>
      )}
    </List>
  );
}

/** A file dropped again takes the place of the one of that name. */
function mergeByName(known: File[], dropped: readonly File[]): File[] {
  const byName = new Map([...known, ...dropped].map((file) => [file.name, file]));
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}
