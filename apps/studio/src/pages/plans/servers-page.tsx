import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { addServer, mcpServersQuery } from '../../api/mcp-servers';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { ServerCard } from './server-card';

/** The tenant's MCP servers, with the tools that plans may use of each (P7). */
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
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const adding = useMutation({ mutationFn: () => addServer(name.trim(), url.trim()) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            w={180}
            label={t('servers.name')}
            placeholder="search"
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            flex={1}
            miw={220}
            label={t('servers.url')}
            placeholder="https://…"
            maxLength={2_048}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Button type="submit" loading={adding.isPending} disabled={!name.trim() || !url.trim()}>
            {t('servers.add')}
          </Button>
        </Group>
        {adding.error && <ProblemAlert error={adding.error} />}
      </Stack>
    </form>
  );
}
