import { Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { toolGraphQuery, toolsQuery } from '../../api/plans';
import type { Schemas } from '../../api/client';
import { PageHeader } from '../../ui/page-header';
import { RouteAnchor } from '../../ui/route-links';
import { useRunWords } from '../../ui/run-words';
import { SearchField } from '../../ui/search-field';
import { useTab } from '../../ui/use-tab';
import { Section } from '../../ui/card';
import { ListTable } from '../../ui/list-table';
import { ready } from '../../ui/ready';

/** Lists the tools for plans, searchable by purpose. */
export default function ToolsPage() {
  const { t } = useTranslation();
  const [query, setQuery] = useTab('', 'q');
  const [data, instead] = ready(useQuery(toolsQuery(query)));
  const graph = useQuery(toolGraphQuery).data;
  return (
    <>
      <PageHeader title={t('tools.title')}>
        <RouteAnchor to="/settings/servers">{t('servers.title')}</RouteAnchor>
        <RouteAnchor to="/settings/secrets">{t('secrets.title')}</RouteAnchor>
      </PageHeader>
      <Stack>
        <SearchField label={t('tools.find')} value={query} onSearch={setQuery} />
        {instead}
        {data?.degraded.includes('semantic') && <Alert color="yellow">{t('search.degraded')}</Alert>}
        {data?.items.map((tool) => (
          <ToolCard key={tool.name} tool={tool} />
        ))}
        {graph && graph.edges.length > 0 && <Edges edges={graph.edges} />}
      </Stack>
    </>
  );
}

function ToolCard({ tool }: { tool: Schemas['Tool'] }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const parameters = Object.keys((tool.input['properties'] ?? {}) as Record<string, unknown>);
  return (
    <Paper withBorder p="sm" component="article" aria-label={tool.name}>
      <Group gap="sm">
        <Text fw={600} ff="monospace">
          {tool.name}
        </Text>
        {tool.side_effects && <Badge variant="default">{t('tools.sideEffects')}</Badge>}
      </Group>
      <Text size="sm">{words.tool(tool.name) || tool.description}</Text>
      <Text size="xs" c="dimmed" ff="monospace">
        {parameters.join(', ')}
      </Text>
    </Paper>
  );
}

function Edges({ edges }: { edges: Schemas['ToolGraph']['edges'] }) {
  const { t } = useTranslation();
  return (
    <Section title={t('tools.learnt')}>
      <ListTable
        items={edges.slice(0, 100)}
        minWidth={360}
        columns={[
          { label: t('tools.from'), cell: ({ from }) => from },
          { label: t('tools.to'), cell: ({ to }) => to },
          { label: t('tools.count'), cell: ({ count }) => count, isNumber: true },
          {
            label: t('tools.confidence'),
            cell: ({ confidence }) => `${Math.round(confidence * 100)} %`,
            isNumber: true,
          },
        ]}
      />
    </Section>
  );
}
