import { Badge, Code, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { auditQuery } from '../../api/operation';
import { useMay } from '../../api/session';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';

/** Who did what, newest first. */
export function AuditPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const { data, error, refetch } = useQuery({ ...auditQuery, enabled: isAdmin });
  return (
    <>
      <PageHeader title={t('audit.title')} />
      {!isAdmin && <Text>{t('access.adminsOnly')}</Text>}
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isAdmin && !data && !error && <PageLoader />}
      {data && (
        <Table.ScrollContainer minWidth={640}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('audit.at')}</Table.Th>
                <Table.Th>{t('audit.actor')}</Table.Th>
                <Table.Th>{t('audit.action')}</Table.Th>
                <Table.Th>{t('audit.resource')}</Table.Th>
                <Table.Th>{t('audit.outcome')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.items.map((entry) => (
                <Table.Tr key={entry.id}>
                  <Table.Td>
                    <Moment at={entry.at} />
                  </Table.Td>
                  <Table.Td>{entry.actor}</Table.Td>
                  <Table.Td>{entry.action}</Table.Td>
                  <Table.Td>
                    <Code>{entry.resource}</Code>
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="dot" color={entry.outcome === 'done' ? 'green' : 'red'}>
                      {t(`auditOutcome.${entry.outcome}`)}
                    </Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
