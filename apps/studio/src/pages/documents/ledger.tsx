import { Anchor, Group, Paper, Progress, Stack, Switch, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ledgerOf, type Ledger as LedgerView } from '../../api/ledger';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';

/** Where each line of each source went: figures per file, and every difference with its words (X1). */
export default function Ledger({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(ledgerOf(sessionId));
  const [onlyOpen, setOnlyOpen] = useState(false);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (isPending) return <PageLoader />;
  if (data === null) return <Text c="dimmed">{t('ledger.none')}</Text>;
  const files = worstFirst(data.files).filter(({ coverage }) => !onlyOpen || coverage < 1);
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600}>{t('ledger.carried', { share: (data.coverage * 100).toFixed(1) })}</Text>
        <Group gap="lg">
          <Switch
            label={t('ledger.onlyOpen')}
            checked={onlyOpen}
            onChange={(event) => setOnlyOpen(event.currentTarget.checked)}
          />
          <Anchor href={`/api/sessions/${sessionId}/ledger?format=html`} target="_blank" rel="noreferrer">
            {t('ledger.page')}
          </Anchor>
        </Group>
      </Group>
      <FileTable files={files} />
      <Differences ledger={data} />
    </Stack>
  );
}

/** Files of which nothing is carried come first, then the one that lacks most bytes. */
function worstFirst(files: LedgerView['files']): LedgerView['files'] {
  const missing = ({ bytes, altered, unaccounted }: LedgerView['files'][number]) =>
    bytes?.missing ?? altered + unaccounted;
  const absent = ({ lines, altered, unaccounted }: LedgerView['files'][number]) =>
    lines > 0 && altered + unaccounted === lines;
  return [...files].sort((a, b) => Number(absent(b)) - Number(absent(a)) || missing(b) - missing(a));
}

function FileTable({ files }: { files: LedgerView['files'] }) {
  const { t } = useTranslation();
  if (files.length === 0) return <Text c="dimmed">{t('ledger.allCarried')}</Text>;
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('ledger.source')}</Table.Th>
            <Table.Th>{t('ledger.coverage')}</Table.Th>
            <Table.Th ta="right">{t('ledger.missingBytes')}</Table.Th>
            <Table.Th ta="right">{t('ledger.lines')}</Table.Th>
            <Table.Th ta="right">{t('ledger.carriedLines')}</Table.Th>
            <Table.Th ta="right">{t('ledger.omitted')}</Table.Th>
            <Table.Th ta="right">{t('ledger.altered')}</Table.Th>
            <Table.Th ta="right">{t('ledger.unaccounted')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {files.map((file) => (
            <Table.Tr key={file.name}>
              <Table.Td>{file.name}</Table.Td>
              <Table.Td miw={120}>
                <Progress.Root size="lg">
                  <Progress.Section
                    value={file.coverage * 100}
                    color={file.coverage < 1 ? 'orange' : 'green'}
                    aria-label={t('ledger.carried', { share: (file.coverage * 100).toFixed(1) })}
                  />
                </Progress.Root>
              </Table.Td>
              <Table.Td ta="right">
                {file.bytes ? `${file.bytes.missing} / ${file.bytes.total}` : '–'}
              </Table.Td>
              {[file.lines, file.carried, file.omitted, file.altered, file.unaccounted].map(
                (count, column) => (
                  <Table.Td key={column} ta="right">
                    {count}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Lines that nothing carries, and lines that were changed: with their place and their words. */
function Differences({ ledger }: { ledger: LedgerView }) {
  const { t } = useTranslation();
  return (
    <>
      {ledger.unaccounted.map((missing) => (
        <Paper key={`${missing.source}:${missing.line}`} withBorder p="sm">
          <Text size="sm" fw={600}>
            {t('ledger.missingAt', { source: missing.source, line: missing.line })}
          </Text>
          <div className="verbatim">{missing.text}</div>
        </Paper>
      ))}
      {ledger.altered.map((altered) => (
        <Paper key={`${altered.source}:${altered.line}`} withBorder p="sm">
          <Text size="sm" fw={600}>
            {t('ledger.alteredAt', {
              source: altered.source,
              line: altered.line,
              manuscript: altered.manuscript_line,
            })}
          </Text>
          <div className="verbatim">
            {altered.diff.map(({ op, text }, index) =>
              op === 'equal' ? (
                <span key={index}>{text}</span>
              ) : op === 'delete' ? (
                <del key={index}>{text}</del>
              ) : (
                <ins key={index}>{text}</ins>
              ),
            )}
          </div>
        </Paper>
      ))}
    </>
  );
}
