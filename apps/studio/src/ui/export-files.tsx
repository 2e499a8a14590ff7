import { Button, Group } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/api-query';
import { formatBytes, Moment } from './format';
import { ListTable } from './list-table';
import { ShareButton } from './share-button';

/** Lists exported files for download. */
export function ExportFiles({ sessionId, files }: { sessionId: string; files: Schemas['Export'][] }) {
  const { t } = useTranslation();
  return (
    <ListTable
      items={files}
      minWidth={320}
      columns={[
        { label: t('sources.name'), cell: ({ name }) => name },
        { label: t('sources.size'), cell: ({ size }) => formatBytes(size), isNumber: true },
        { label: t('documents.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
        {
          label: t('work.actions'),
          cell: ({ id, name }) => (
            <Group gap="xs" justify="flex-end">
              <Button
                component="a"
                variant="default"
                size="xs"
                href={`/api/sessions/${sessionId}/exports/${id}`}
                download={name}
                aria-label={t('export.downloadNamed', { name })}
              >
                {t('document.downloadFile')}
              </Button>
              <ShareButton size="xs" sessionId={sessionId} of={{ export_id: id }} />
            </Group>
          ),
          isNumber: true,
        },
      ]}
    />
  );
}
