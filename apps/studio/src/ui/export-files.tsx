import { Button, Table } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/client';
import { formatBytes } from './format';
import { Moment } from './moment';

/** Lists exported files for download. */
export function ExportFiles({ sessionId, files }: { sessionId: string; files: Schemas['Export'][] }) {
  const { t } = useTranslation();
  return (
    <Table>
      <Table.Tbody>
        {files.map((file) => (
          <Table.Tr key={file.id}>
            <Table.Td>{file.name}</Table.Td>
            <Table.Td>{formatBytes(file.size)}</Table.Td>
            <Table.Td visibleFrom="sm">
              <Moment at={file.created_at} />
            </Table.Td>
            <Table.Td>
              <Button
                component="a"
                variant="default"
                size="xs"
                href={`/api/sessions/${sessionId}/exports/${file.id}`}
                download={file.name}
                aria-label={t('export.downloadNamed', { name: file.name })}
              >
                {t('document.downloadFile')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
