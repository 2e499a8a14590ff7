import { Badge, Group, Text, Stack, Alert, Code } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { apiQuery, change, type Schemas } from '../../api/api-query';
import { ComparedWords } from '../../ui/proposals/compared-words';
import { Hint, Card, EmptyState, PageHeader, ProblemAlert, StateBadge, useReady } from '../../ui/frames';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../api/session';
import { LineForm } from '../../ui/line-form';
import { ActionButton, RemoveButton } from '../../ui/actions';

type McpTool = Schemas['McpServerTool'];

/** Queries that list servers or their tools. */
const SHOWN = [['mcp-servers'], ['tools']];

/** Query for the tenant's MCP servers; refetched while a worker discovers their tools. */
const serversQuery = apiQuery(
  ['mcp-servers'],
  '/api/mcp/servers',
  {},
  {
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ status }) => status === 'discovering') ? 1_000 : false,
  },
);

/** @param state of the server: its tools are fetched again when it changes */
const toolsOf = (id: string, state: string) =>
  apiQuery(['mcp-servers', id, state], '/api/mcp/servers/{server_id}', { server_id: id });

/** Lists the tenant's MCP servers, with the tools that plans may use (P7). */
export default function ServersPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [data, instead] = useReady(serversQuery);
  return (
    <>
      <PageHeader title={t('servers.title')} />
      <Stack>
        {isAdmin && (
          <LineForm
            fields={[
              { name: 'name', label: t('servers.name'), placeholder: 'search', maxLength: 40, width: 180 },
              { name: 'url', label: t('servers.url'), placeholder: 'https://…', maxLength: 2_048 },
            ]}
            action={t('servers.add')}
            onSubmit={(server) => {
              const body = { ...server, headers: {}, allowed_tools: null, side_effects: null };
              return change('POST /api/mcp/servers', { body }, ...SHOWN);
            }}
          />
        )}
        {instead}
        {data?.items.length === 0 && <EmptyState title={t('servers.empty')} text={t('servers.emptyText')} />}
        {data?.items.map((server) => (
          <ServerCard key={server.id} server={server} mayChange={isAdmin} />
        ))}
      </Stack>
    </>
  );
}

const needsApproval = ({ status }: McpTool) => status === 'new' || status === 'changed';

/** Shows one MCP server: whether it responds, and its tools. Plans use only approved tools (P7). */
function ServerCard({ server, mayChange }: { server: Schemas['McpServer']; mayChange: boolean }) {
  const { t } = useTranslation();
  const { id, name } = server;
  const detail = useQuery(toolsOf(id, `${server.status} ${server.discovered_at ?? ''}`));
  const approve = (tools: string[]) =>
    change('POST /api/mcp/servers/{server_id}/approvals', { server_id: id, body: { tools } }, ...SHOWN);
  const waiting = detail.data?.tools.filter(needsApproval).map((tool) => tool.name) ?? [];
  return (
    <Card
      title={name}
      component="article"
      badges={<StateBadge state={server.status} text={t(`serverStatus.${server.status}`)} />}
      actions={
        mayChange &&
        waiting.length > 1 && (
          <ActionButton
            size="xs"
            label={t('servers.approveAll', { count: waiting.length })}
            act={() => approve(waiting)}
          />
        )
      }
    >
      <Text size="sm">
        <Code>{server.url ?? server.command}</Code>
        {server.protocol && ` MCP ${server.protocol}`}
      </Text>
      {server.error && <Alert color="red">{t(`serverError.${server.error}`)}</Alert>}
      {detail.error && <ProblemAlert error={detail.error} />}
      {detail.data && detail.data.skipped_tools.length > 0 && (
        <Alert color="yellow">{t('servers.skipped', { names: detail.data.skipped_tools.join(', ') })}</Alert>
      )}
      {detail.data?.tools.map((tool) => (
        <ServerTool
          key={tool.name}
          tool={tool}
          onApprove={mayChange && needsApproval(tool) ? () => approve([tool.name]) : null}
        />
      ))}
      {mayChange && (
        <Group gap="xs" justify="flex-end">
          <ActionButton
            isSmall
            label={t('servers.refresh')}
            act={() => change('POST /api/mcp/servers/{server_id}/refresh', { server_id: id }, ...SHOWN)}
          />
          <RemoveButton
            name={name}
            act={() => change('DELETE /api/mcp/servers/{server_id}', { server_id: id }, ...SHOWN)}
          />
        </Group>
      )}
    </Card>
  );
}

interface ServerToolProps {
  tool: McpTool;
  /** Null if the tool needs no approval, or the user may not give it. */
  onApprove: (() => Promise<unknown>) | null;
}

/** Shows a tool with its server's description; if that has changed, also the approved one. */
function ServerTool({ tool, onApprove }: ServerToolProps) {
  const { t } = useTranslation();
  const { name, description, approved_description: approved } = tool;
  return (
    <section aria-label={name}>
      <Group gap="sm">
        <Text fw={600} ff="monospace" size="sm">
          {name}
        </Text>
        <StateBadge size="sm" state={tool.status} text={t(`toolStatus.${tool.status}`)} />
        {tool.side_effects && (
          <Badge size="sm" variant="default">
            {t('approvalCard.sideEffects')}
          </Badge>
        )}
        {!tool.is_allowed && <Hint size="xs">{t('servers.notAllowed')}</Hint>}
        {onApprove && (
          <ActionButton
            size="compact-xs"
            variant="light"
            label={t('servers.approve')}
            aria-label={`${t('servers.approve')}: ${name}`}
            act={onApprove}
          />
        )}
      </Group>
      {tool.status === 'changed' && approved !== null ? (
        <ComparedWords before={approved} after={description} />
      ) : (
        <Text size="sm">{description}</Text>
      )}
    </section>
  );
}
