import { Alert, Checkbox, Select, Stack, Text } from '@mantine/core';
import { trimSizes } from '#contracts/file-kinds.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { useBookRun, startBookRun, type Book } from '../../api/books';
import { chaptersOf } from '../../api/chapters';
import { exportsOf } from '../../api/documents';
import { useMay } from '../../api/session';
import { checkProps } from '../../ui/actions';
import { ExportFiles } from '../../ui/export-files';
import { Card, Heading, useReady } from '../../ui/frames';
import { ExportForm } from '../../ui/export-form';
import { lazyPart } from '../../ui/lazy-part';

const EXTRAS = ['index', 'list_of_figures'];
const TRACKED = { formats: ['docx'], proposals: 'tracked' };
const ReturnedFile = lazyPart(() => import('../../ui/returned-file'));

/** Exports the book's files and offers them for download (B12, B22). */
export default function ExportStep({ book }: { book: Book }) {
  const { t } = useTranslation();
  const { isBusy } = useBookRun(book.session_id);
  const missing = useQuery(chaptersOf(book.id)).data?.filter(({ version }) => version === 0) ?? [];
  const [trim, setTrim] = useState<string | null>(trimSizes[0]);
  const [extras, setExtras] = useState<Record<string, true | undefined>>({});
  const [files, instead] = useReady(exportsOf(book.session_id));
  return (
    <Stack gap="lg">
      {useMay('write') && (
        <Card label={t('book.export')}>
          <ExportForm
            initialStyle={book.metadata_json.profile.citation_style ?? null}
            isBusy={isBusy}
            onExport={(inputs) => startBookRun(book.id, 'export', { ...inputs, ...extras, trim_size: trim })}
          >
            <Select
              label={t('export.trimSize')}
              data={trimSizes.map((size) => ({ value: size, label: t(`trimSize.${size}`) }))}
              value={trim}
              onChange={setTrim}
              maw={400}
            />
            {EXTRAS.map((name) => (
              <Checkbox
                key={name}
                label={t(`export.${name}`)}
                {...checkProps(extras[name] ?? false, (on) =>
                  setExtras({ ...extras, [name]: on || undefined }),
                )}
              />
            ))}
            {missing.length > 0 && (
              <Alert color="yellow">
                {t('export.missing', {
                  count: missing.length,
                  names: missing.map(({ number, title }) => `${number}. ${title}`).join(', '),
                })}
              </Alert>
            )}
          </ExportForm>
        </Card>
      )}
      <Heading>{t('export.files')}</Heading>
      {instead}
      {files?.items.length === 0 && <Text c="dimmed">{t('export.none')}</Text>}
      {files && files.items.length > 0 && <ExportFiles sessionId={book.session_id} files={files.items} />}
      {files?.items.some(({ format }) => format === 'docx') && (
        <ReturnedFile
          sessionId={book.session_id}
          share={() => startBookRun(book.id, 'export', { ...TRACKED, trim_size: trim })}
        />
      )}
    </Stack>
  );
}
