import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { RunEvent } from '../../api/run-events';
import type { Run } from '../../api/runs';
import { formatCost, formatDuration, formatNumber } from '../../ui/format';
import { Moment } from '../../ui/moment';
import { useRunWords } from '../../ui/run-words';
import { CheckpointActions } from './checkpoint-actions';
import { EventData } from './event-data';
import { StepState } from './step-state';
import type { Step } from './steps';
import { useEventText } from './use-event-text';

interface StepPanelProps {
  run: Run;
  step: Step;
  events: readonly RunEvent[];
}

/** Maximum number of events shown per step; the event list has all. */
const SHOWN = 30;

/** Shows one step: its time, cost and events, and actions to continue from it. */
export function StepPanel({ run, step, events }: StepPanelProps) {
  const { t } = useTranslation();
  const words = useRunWords();
  const textOf = useEventText(events);
  const name = step.kind === 'wait' ? words.question(step.name) : words.node(step.name);
  const within = events.filter(({ at, type }) => {
    const time = Date.parse(at);
    return type !== 'token' && time > step.from && time <= step.to;
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('run.stepOf', { name })}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {name}
          </Title>
          {step.checkpoint && <CheckpointActions run={run} checkpointId={step.checkpoint.checkpoint_id} />}
        </Group>
        <Group gap="lg">
          <Text size="sm">
            <Moment at={new Date(step.from).toISOString()} />
          </Text>
          <Text size="sm">{step.isOpen ? t('run.stillWaits') : formatDuration(step.to - step.from)}</Text>
          {step.tokens > 0 && (
            <Text size="sm">
              {t('run.tokens', { tokens: formatNumber(step.tokens) })}, {formatCost(step.cost)}
            </Text>
          )}
          {step.checkpoint && step.checkpoint.next.length > 0 && (
            <Text size="sm">{t('run.next', { nodes: step.checkpoint.next.map(words.node).join(', ') })}</Text>
          )}
        </Group>
        {step.checkpoint && <StepState runId={run.id} checkpointId={step.checkpoint.checkpoint_id} />}
        {!step.checkpoint && step.kind === 'step' && (
          <Text size="sm" c="dimmed">
            {t('run.noCheckpoint')}
          </Text>
        )}
        {within.slice(0, SHOWN).map((event) => (
          <div key={event.seq}>
            <Text size="sm" className="event-text">
              {textOf(event)}
            </Text>
            <EventData data={event.data} />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
