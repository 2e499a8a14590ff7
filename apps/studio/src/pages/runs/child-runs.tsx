import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import type { RunEvent } from '../../api/run-events';
import { runQuery } from '../../api/runs';
import { RouteAnchor } from '../../ui/route-links';
import { useRunWords } from '../../ui/run-words';
import { useRunName } from '../../ui/work-name';

/** Lists the child runs of this run with their last reported status. */
export function ChildRuns({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const children = new Map<string, { kind: string; status: string }>();
  for (const { type, data } of events) {
    if (type !== 'child_run' || typeof data['run_id'] !== 'string') continue;
    const known = children.get(data['run_id']);
    children.set(data['run_id'], {
      kind: typeof data['kind'] === 'string' ? data['kind'] : (known?.kind ?? ''),
      status: typeof data['status'] === 'string' ? data['status'] : (known?.status ?? ''),
    });
  }
  if (children.size === 0) return null;
  return (
    <section aria-label={t('run.children')}>
      <Title order={2} size="h4" mb="xs">
        {t('run.children')}
      </Title>
      <ul className="plain-list">
        {[...children].map(([id, { kind, status }]) => (
          <li key={id}>
            <Group gap="sm">
              <ChildName runId={id} kind={words.kind(kind)} />
              <Text size="sm" c="dimmed">
                {t(`runStatus.${status}`, { defaultValue: status })}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links to a child run by its title, else by its kind. */
function ChildName({ runId, kind }: { runId: string; kind: string }) {
  const nameOf = useRunName();
  const { data } = useQuery(runQuery(runId));
  return (
    <RouteAnchor to="/runs/$runId" params={{ runId }} size="sm">
      {data ? nameOf(data) : kind}
    </RouteAnchor>
  );
}
