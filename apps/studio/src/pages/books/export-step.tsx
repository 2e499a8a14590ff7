import { Alert, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { runsOfBook, shownRun, startBookRun, type Book } from '../../api/books';
import { chaptersOf } from '../../api/chapters';
import { exportsOf } from '../../api/documents';
import { isOver } from '../../api/runs';
import { useMay } from '../../api/session';
import { CitationStyleSelect } from '../../ui/citation-style-select';
import { ExportFiles } from '../../ui/export-files';
import { ProblemAlert } from '../../ui/problem-alert';

const FORMATS = ['docx', 'pdf', 'epub', 'md'] as const;

/** Exports the book's files and offers them for download (B12, B22). */
export default function ExportStep({ book }: { book: Book }) {
  const { t } = useTranslation();
  const [formats, setFormats] = useState<string[]>(['docx', 'pdf']);
  const [style, setStyle] = useState(book.metadata_json.profile.citation_style ?? null);
  const run = shownRun(useQuery(runsOfBook(book.session_id)).data);
  const missing = useQuery(chaptersOf(book.id)).data?.filter(({ version }) => version === 0) ?? [];
  const files = useQuery(exportsOf(book.session_id));
  const exporting = useMutation({
    mutationFn: () => startBookRun(book.id, 'export', { formats, ...(style && { citation_style: style }) }),
  });
  const isBusy = run !== undefined && !isOver(run);
  return (
    <Stack gap="lg">
      {useMay('write') && (
        <Paper withBorder p="md">
          <Stack gap="sm">
            <Checkbox.Group label={t('export.formats')} value={formats} onChange={setFormats}>
              <Group mt={4}>
                {FORMATS.map((format) => (
                  <Checkbox key={format} value={format} label={t(`format.${format}`)} />
                ))}
              </Group>
            </Checkbox.Group>
            <CitationStyleSelect value={style} onChange={setStyle} />
            {missing.length > 0 && (
              <Alert color="yellow">
                {t('export.missing', {
                  count: missing.length,
                  names: missing.map(({ number, title }) => `${number}. ${title}`).join(', '),
                })}
              </Alert>
            )}
            {exporting.error && <ProblemAlert error={exporting.error} />}
            <Group>
              <Button
                onClick={() => exporting.mutate()}
                loading={exporting.isPending || isBusy}
                disabled={formats.length === 0}
              >
                {t('export.make')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      )}
      <Title order={2} size="h4">
        {t('export.files')}
      </Title>
      {files.error && <ProblemAlert error={files.error} onRetry={() => void files.refetch()} />}
      {files.data?.items.length === 0 && <Text c="dimmed">{t('export.none')}</Text>}
      {files.data && files.data.items.length > 0 && (
        <ExportFiles sessionId={book.session_id} files={files.data.items} />
      )}
    </Stack>
  );
}
