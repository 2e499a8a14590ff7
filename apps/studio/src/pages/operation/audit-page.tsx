import { Code, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { apiQuery, type Schemas } from '../../api/api-query';
import { useMay } from '../../api/session';
import { ListTable } from '../../ui/list-table';
import { Moment } from '../../ui/format';
import { PageHeader, useReady, StateBadge } from '../../ui/frames';
import { RouteAnchor } from '../../ui/route-links';
import { RunLink } from '../../ui/work-name';

const auditQuery = apiQuery(['audit'], '/api/audit', { limit: 100 });

/** Shows the audit log, newest first. */
export default function AuditPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [data, instead] = useReady({ ...auditQuery, enabled: isAdmin });
  // Denied reading, the only action without a label, is shown with its name.
  const nameOf = (action: string) =>
    t(`auditAction.${action}`, { defaultValue: t('auditAction.read', { operation: action }) });
  const actorOf = (id: string) => (id.startsWith('lnk_') ? t('audit.byLink') : id);
  return (
    <>
      <PageHeader title={t('audit.title')} />
      {isAdmin ? instead : <Text>{t('audit.adminsOnly')}</Text>}
      {data && (
        <ListTable
          items={data.items}
          minWidth={640}
          columns={[
            { label: t('audit.at'), cell: ({ at }) => <Moment at={at} /> },
            { label: t('audit.actor'), cell: ({ actor, actor_name: name }) => name ?? actorOf(actor) },
            { label: t('audit.action'), cell: ({ action }) => nameOf(action) },
            { label: t('audit.resource'), cell: (entry) => <Resource entry={entry} /> },
            {
              label: t('audit.outcome'),
              cell: ({ outcome }) => <StateBadge state={outcome} text={t(`auditOutcome.${outcome}`)} />,
            },
          ]}
        />
      )}
    </>
  );
}

/** Shows the object of an action: its name, with a link if there is a page, otherwise its ID. */
function Resource({ entry: { resource, resource_name: name } }: { entry: Schemas['AuditEntry'] }) {
  const id = resource.split('/')[0]!;
  if (resource === '') return null;
  if (name === null) return <Code>{resource}</Code>;
  if (id.startsWith('run_')) return <RunLink id={id}>{name}</RunLink>;
  if (id.startsWith('col_'))
    return (
      <RouteAnchor to="/knowledge/$collectionId" params={{ collectionId: id }} size="sm">
        {name}
      </RouteAnchor>
    );
  return <span title={resource}>{name}</span>;
}
