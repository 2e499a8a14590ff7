import { NewSecret } from '../../ui/copy-text';
import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { apiQuery, change, call, type Schemas } from '../../api/api-query';
import { useMay } from '../../api/session';
import { EmptyState, PageHeader, Card, useReady, StateBadge } from '../../ui/frames';
import { LineForm } from '../../ui/line-form';
import { ListTable } from '../../ui/list-table';
import { Moment } from '../../ui/format';
import { RouteAnchor } from '../../ui/route-links';
import { ActionButton, RemoveButton, SmallButton } from '../../ui/actions';
import { RunLink } from '../../ui/work-name';

type Delivery = Schemas['WebhookDelivery'];

const webhooksQuery = apiQuery(['webhooks'], '/api/webhooks', {});

/** Lists the webhooks and the outcome of each delivery. */
export default function WebhooksPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [data, instead] = useReady({ ...webhooksQuery, enabled: isAdmin });
  return (
    <>
      <PageHeader title={t('webhooks.title')} />
      <Stack>
        {isAdmin ? instead : <Text>{t('webhooks.adminsOnly')}</Text>}
        {isAdmin && <NewWebhook />}
        {data?.items.length === 0 && (
          <EmptyState title={t('webhooks.empty')} text={t('webhooks.emptyText')} />
        )}
        {data?.items.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} />
        ))}
      </Stack>
    </>
  );
}

/** Creates a webhook; its signing secret is shown only once. */
function NewWebhook() {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <LineForm
        fields={[{ name: 'url', label: t('webhooks.url'), placeholder: 'https://…', maxLength: 2_000 }]}
        action={t('webhooks.add')}
        onSubmit={async ({ url }) =>
          setSecret((await change('POST /api/webhooks', { body: { url } }, ['webhooks'])).secret)
        }
      />
      {secret !== null && <NewSecret title={t('webhooks.made')} secret={secret} />}
    </>
  );
}

function WebhookCard({ webhook }: { webhook: Schemas['Webhook'] }) {
  const { t } = useTranslation();
  const at = { webhook_id: webhook.id };
  const [isOpen, setOpen] = useState(false);
  const [tested, setTested] = useState<Schemas['WebhookTest']>();
  return (
    <Card
      label={webhook.url}
      component="article"
      title={<Code>{webhook.url}</Code>}
      actions={
        <Group gap="xs">
          <SmallButton
            label={t('webhooks.deliveries')}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
          <ActionButton
            isSmall
            label={t('webhooks.test')}
            act={async () => setTested(await call('POST /api/webhooks/{webhook_id}/test', at))}
          />
          <RemoveButton
            name={webhook.url}
            act={() => change('DELETE /api/webhooks/{webhook_id}', at, ['webhooks'])}
          />
        </Group>
      }
    >
      {webhook.disabled_at && (
        <Alert color="red">{t('webhooks.disabled', { why: webhook.disabled_reason })}</Alert>
      )}
      {tested && (
        <StateBadge
          state={tested.delivered ? 'delivered' : 'failed'}
          text={tested.delivered ? t('webhooks.arrived') : (tested.error ?? tested.status_code)}
        />
      )}
      {isOpen && <Deliveries webhookId={webhook.id} />}
    </Card>
  );
}

/** Shows the run or source of a delivery. */
function Subject({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const { run_id: runId, source_id: sourceId, collection_id: collectionId } = delivery;
  if (runId !== null) return <RunLink id={runId}>{t('decision.run')}</RunLink>;
  return (
    <RouteAnchor
      to="/knowledge/$collectionId/sources/$sourceId"
      params={{ collectionId: collectionId!, sourceId: sourceId! }}
      size="sm"
    >
      {t('webhooks.source')}
    </RouteAnchor>
  );
}

/** Lists the deliveries to a receiver and its responses. */
function Deliveries({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation();
  const eventName = (event: string) =>
    t(`webhookEvent.${event}`, { defaultValue: t(`runStatus.${event}`, { defaultValue: event }) });
  const outcomeOf = ({ status, status_code: code, error }: Delivery) =>
    `${t(`deliveryStatus.${status}`)} ${code ?? (error ? `· ${t(`deliveryError.${error}`)}` : '')}`;
  const at = { webhook_id: webhookId };
  const query = apiQuery(['webhooks', webhookId], '/api/webhooks/{webhook_id}', at);
  const [data, instead] = useReady({ ...query, refetchInterval: 5_000 });
  if (instead) return instead;
  if (data.deliveries.length === 0) return <Text c="dimmed">{t('webhooks.noDeliveries')}</Text>;
  return (
    <ListTable
      items={data.deliveries}
      minWidth={480}
      columns={[
        { label: t('audit.at'), cell: ({ created_at: at }) => <Moment at={at} /> },
        { label: t('webhooks.event'), cell: ({ event }) => eventName(event) },
        { label: t('audit.resource'), cell: (delivery) => <Subject delivery={delivery} /> },
        {
          label: t('audit.outcome'),
          cell: (delivery) => <StateBadge state={delivery.status} text={outcomeOf(delivery)} />,
        },
        { label: t('webhooks.attempts'), cell: ({ attempts }) => attempts, isNumber: true },
      ]}
    />
  );
}
