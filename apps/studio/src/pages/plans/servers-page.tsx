import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { addServer, mcpServersQuery } from '../../api/mcp-servers';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';
import { LineForm } from '../../ui/line-form';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { ServerCard } from './server-card';

/** Lists the tenant's MCP servers, with the tools that plans may use (P7). */
export function ServersPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const { data, error, isPending, refetch } = useQuery(mcpServersQuery);
  return (
    <>
      <PageHeader title={t('servers.title')}>
        <RouteAnchor to="/tools">{t('tools.title')}</RouteAnchor>
      </PageHeader>
      <Stack>
        {isAdmin && <NewServer />}
        {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <PageLoader />}
        {data?.items.length === 0 && <EmptyState title={t('servers.empty')} text={t('servers.emptyText')} />}
        {data?.items.map((server) => (
          <ServerCard key={server.id} server={server} mayChange={isAdmin} />
        ))}
      </Stack>
    </>
  );
}

function NewServer() {
  const { t } = useTranslation();
  return (
    <LineForm
      fields={[
        { name: 'name', label: t('servers.name'), placeholder: 'search', maxLength: 40, width: 180 },
        { name: 'url', label: t('servers.url'), placeholder: 'https://…', maxLength: 2_048 },
      ]}
      action={t('servers.add')}
      onSubmit={({ name, url }) => addServer(name, url)}
    />
  );
}
