import { Badge, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { type Delivery, webhookQuery } from '../../api/operation';
import { isBlockingError } from '../../api/query-client';
import { Moment } from '../../ui/moment';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';

const COLOURS = { pending: 'gray', delivered: 'green', failed: 'red' } as const;

/** Shows the run or source of a delivery. */
function Subject({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const { run_id: runId, source_id: sourceId, collection_id: collectionId } = delivery;
  if (runId !== null)
    return (
      <RouteAnchor to="/runs/$runId" params={{ runId }} size="sm">
        {t('decision.run')}
      </RouteAnchor>
    );
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
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation();
  const eventName = (event: string) =>
    t(`webhookEvent.${event}`, { defaultValue: t(`runStatus.${event}`, { defaultValue: event }) });
  const reasonOf = (delivery: Delivery) => delivery.error && `· ${t(`deliveryError.${delivery.error}`)}`;
  const { data, error, refetch } = useQuery({ ...webhookQuery(webhookId), refetchInterval: 5_000 });
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data?.deliveries.length === 0) return <Text c="dimmed">{t('webhooks.noDeliveries')}</Text>;
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table>
        <Table.Tbody>
          {data?.deliveries.map((delivery) => (
            <Table.Tr key={delivery.id}>
              <Table.Td>
                <Moment at={delivery.created_at} />
              </Table.Td>
              <Table.Td>{eventName(delivery.event)}</Table.Td>
              <Table.Td>
                <Subject delivery={delivery} />
              </Table.Td>
              <Table.Td>
                <Badge variant="dot" color={COLOURS[delivery.status]}>
                  {t(`deliveryStatus.${delivery.status}`)} {delivery.status_code ?? reasonOf(delivery)}
                </Badge>
              </Table.Td>
              <Table.Td ta="right">{t('webhooks.attempts', { count: delivery.attempts })}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
