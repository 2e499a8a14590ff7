import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { useMay } from '../../api/session';
import { EmptyState, PageHeader, Card, useReady } from '../../ui/frames';
import { LineForm } from '../../ui/line-form';
import { apiQuery, change, type Schemas } from '../../api/api-query';
import { RemoveButton } from '../../ui/actions';

/** Lists the secrets that HTTP requests of plans use by name. Values are sent, never shown. */
export default function SecretsPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [data, instead] = useReady(secretsQuery);
  return (
    <>
      <PageHeader title={t('secrets.title')} />
      <Stack>
        <Text>{t('secrets.purpose', { placeholder: '{{name}}' })}</Text>
        {isAdmin && (
          <LineForm
            fields={[
              { name: 'name', label: t('secrets.name'), placeholder: 'crm', maxLength: 40, width: 140 },
              { name: 'hosts', label: t('secrets.hosts'), placeholder: 'api.example.com', maxLength: 2_600 },
              { name: 'value', label: t('secrets.value'), maxLength: 4_000, isSecret: true },
            ]}
            action={t('secrets.add')}
            onSubmit={({ hosts, ...secret }) => {
              const body = { ...secret, hosts: hosts.toLowerCase().split(/[\s,]+/) };
              return change('POST /api/secrets', { body }, ['secrets']);
            }}
          />
        )}
        {instead}
        {data?.items.length === 0 && <EmptyState title={t('secrets.empty')} text={t('secrets.emptyText')} />}
        {data?.items.map((secret) => (
          <SecretCard key={secret.id} secret={secret} mayChange={isAdmin} />
        ))}
        <PlanHosts mayChange={isAdmin} />
      </Stack>
    </>
  );
}

/** Lists the hosts that plans made by a model may read without approval. */
function PlanHosts({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const [data, instead] = useReady(planHostsQuery);
  const hosts = data?.hosts ?? [];
  return (
    <Stack gap="sm">
      <Title order={2}>{t('secrets.planHosts')}</Title>
      <Text>{t('secrets.planHostsText')}</Text>
      {instead}
      {hosts.map((host) => (
        <Group key={host} justify="space-between">
          <Code>{host}</Code>
          {mayChange && (
            <RemoveButton
              name={host}
              consequence={t('secrets.hostConsequence')}
              act={() => changePlanHosts(hosts.filter((other) => other !== host))}
            />
          )}
        </Group>
      ))}
      {mayChange && data && (
        <LineForm
          fields={[
            { name: 'host', label: t('secrets.planHost'), placeholder: 'api.example.com', maxLength: 259 },
          ]}
          action={t('secrets.allowHost')}
          onSubmit={({ host }) => changePlanHosts([...hosts, host])}
        />
      )}
    </Stack>
  );
}

function SecretCard({ secret, mayChange }: { secret: Schemas['Secret']; mayChange: boolean }) {
  const { t } = useTranslation();
  const { id: credential_id, name, hosts } = secret;
  return (
    <Card
      label={name}
      component="article"
      title={<Code>{name}</Code>}
      actions={
        mayChange && (
          <RemoveButton
            name={name}
            consequence={t('secrets.consequence')}
            act={() => change('DELETE /api/secrets/{credential_id}', { credential_id }, ['secrets'])}
          />
        )
      }
    >
      <Text size="sm">{t('secrets.sentTo', { hosts: hosts.join(', ') })}</Text>
      {mayChange && (
        <LineForm
          fields={[
            { name: 'value', label: t('secrets.newValue', { name }), maxLength: 4_000, isSecret: true },
          ]}
          action={t('secrets.replace')}
          onSubmit={({ value }) =>
            change('PATCH /api/secrets/{credential_id}', { credential_id, body: { value } }, ['secrets'])
          }
        />
      )}
    </Card>
  );
}

const secretsQuery = apiQuery(['secrets'], '/api/secrets', {});
const planHostsQuery = apiQuery(['plan-hosts'], '/api/plan-hosts', {});

/** Replaces the hosts that plans made by a model may read without approval. @throws ApiProblem */
const changePlanHosts = (hosts: string[]) =>
  change('PATCH /api/plan-hosts', { body: { hosts } }, ['plan-hosts']);
