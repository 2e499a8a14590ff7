import { Badge, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client';
import { auditQuery } from '../../api/operation';
import { useMay } from '../../api/session';
import { ListTable } from '../../ui/list-table';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';

/** Shows the audit log, newest first. */
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
        <ListTable
          items={data.items}
          minWidth={640}
          columns={[
            { label: t('audit.at'), cell: ({ at }) => <Moment at={at} /> },
            { label: t('audit.actor'), cell: ({ actor }) => actor },
            { label: t('audit.action'), cell: ({ action }) => action },
            { label: t('audit.resource'), cell: ({ resource }) => <Code>{resource}</Code> },
            { label: t('audit.outcome'), cell: ({ outcome }) => <Outcome outcome={outcome} /> },
          ]}
        />
      )}
    </>
  );
}

function Outcome({ outcome }: { outcome: Schemas['AuditEntry']['outcome'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="dot" color={outcome === 'done' ? 'green' : 'red'}>
      {t(`auditOutcome.${outcome}`)}
    </Badge>
  );
}
