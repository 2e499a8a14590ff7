import { Alert, Badge, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { toolGraphQuery, toolsQuery } from '../../api/plans';
import type { Schemas } from '../../api/client';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { useRunWords } from '../../ui/run-words';
import { SearchField } from '../../ui/search-field';
import { useTab } from '../../ui/use-tab';
import { Section } from '../../ui/card';

/** Lists the tools for plans, searchable by purpose. */
export function ToolsPage() {
  const { t } = useTranslation();
  const [query, setQuery] = useTab('', 'q');
  const { data, error, isPending, refetch } = useQuery(toolsQuery(query));
  const graph = useQuery(toolGraphQuery).data;
  return (
    <>
      <PageHeader title={t('tools.title')}>
        <RouteAnchor to="/settings/servers">{t('servers.title')}</RouteAnchor>
        <RouteAnchor to="/settings/secrets">{t('secrets.title')}</RouteAnchor>
      </PageHeader>
      <Stack>
        <SearchField label={t('tools.find')} value={query} onSearch={setQuery} />
        {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <PageLoader />}
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
      <Table.ScrollContainer minWidth={360}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('tools.from')}</Table.Th>
              <Table.Th>{t('tools.to')}</Table.Th>
              <Table.Th ta="right">{t('tools.count')}</Table.Th>
              <Table.Th ta="right">{t('tools.confidence')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {edges.slice(0, 100).map(({ from, to, count, confidence }) => (
              <Table.Tr key={`${from}/${to}`}>
                <Table.Td>{from}</Table.Td>
                <Table.Td>{to}</Table.Td>
                <Table.Td ta="right">{count}</Table.Td>
                <Table.Td ta="right">{Math.round(confidence * 100)} %</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
