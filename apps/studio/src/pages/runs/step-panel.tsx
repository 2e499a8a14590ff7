import { jsonOf } from '#contracts/lenient.js';
import { Group, Text, Code } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { RunEvent } from '../../api/run-events';
import { type Run, isOver, restore, stepQuery, type ModelCall } from '../../api/runs';
import { formatCost, formatDuration, formatNumber, Moment } from '../../ui/format';
import { ListTable } from '../../ui/list-table';
import { useRunWords } from '../../ui/run-words';
import { EventDetails, useEventText } from './event-details';
import type { Step } from './steps';
import { useNavigate } from '@tanstack/react-router';
import { change, type Schemas } from '../../api/api-query';
import { useMay } from '../../api/session';
import { PageTabs } from '../../ui/page-tabs';
import { Card, Hint, useReady } from '../../ui/frames';
import { ActionButton, ConfirmedAction } from '../../ui/actions';

/** Maximum number of events shown per step; the event list has all. */
const SHOWN = 30;

/** Shows one step: its time, cost and events, and actions to continue from it. */
export function StepPanel({ run, step, events }: { run: Run; step: Step; events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const textOf = useEventText(events);
  const name = step.kind === 'wait' ? words.question(step.name) : words.node(step.name);
  const within = events.filter(({ at, type }) => {
    const time = Date.parse(at);
    return type !== 'token' && time > step.from && time <= step.to;
  });
  const { next = [] } = step.checkpoint ?? {};
  return (
    <Card
      label={t('run.stepOf', { name })}
      title={name}
      actions={
        step.checkpoint && <CheckpointActions run={run} checkpointId={step.checkpoint.checkpoint_id} />
      }
    >
      <Group gap="lg">
        <Text size="sm">
          <Moment at={new Date(step.from).toISOString()} />
        </Text>
        <Text size="sm">{step.isOpen ? t('run.stillWaits') : formatDuration(step.to - step.from)}</Text>
        {next.length > 0 && (
          <Text size="sm">{t('run.next', { nodes: next.map(words.node).join(', ') })}</Text>
        )}
      </Group>
      <Calls calls={step.calls} />
      {step.checkpoint && <StepState runId={run.id} checkpointId={step.checkpoint.checkpoint_id} />}
      {!step.checkpoint && step.kind === 'step' && <Hint>{t('run.noCheckpoint')}</Hint>}
      {within.slice(0, SHOWN).map((event) => (
        <EventDetails key={event.seq} event={event} text={textOf(event)} />
      ))}
    </Card>
  );
}

/** Lists the model calls of a step with what each cost; the prompt and the answer are in its tabs. */
function Calls({ calls }: Pick<Step, 'calls'>) {
  const { t } = useTranslation();
  const number = (label: string, cell: (call: ModelCall) => string) => ({ label, cell, isNumber: true });
  if (calls.length === 0) return null;
  return (
    <ListTable
      items={calls}
      minWidth={420}
      columns={[
        { label: t('runs.model'), cell: ({ model }) => model },
        number(t('usage.input'), ({ input_tokens: tokens }) => formatNumber(tokens)),
        number(t('usage.output'), ({ output_tokens: tokens }) => formatNumber(tokens)),
        number(t('usage.costSum'), ({ cost }) => formatCost(cost)),
      ]}
    />
  );
}

/** Continues from a checkpoint, in this session or in a copy (X5). */
function CheckpointActions({ run, checkpointId }: { run: Run; checkpointId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const show = ({ id }: { id: string }) => navigate({ to: '/runs/$runId', params: { runId: id } });
  if (!useMay('write')) return null;
  return (
    <Group gap="xs" align="flex-start">
      <ActionButton
        isSmall
        label={t('run.fork')}
        act={async () => {
          const given = { session_id: run.session_id, body: { run_id: run.id, checkpoint_id: checkpointId } };
          await show((await change('POST /api/sessions/{session_id}/fork', given, ['sessions'])).run);
        }}
      />
      <ConfirmedAction
        label={t('run.restore')}
        confirm={t('run.restoreNow')}
        consequence={t('run.restoreText')}
        disabled={!isOver(run)}
        act={async () => show(await restore(run.session_id, run.id, checkpointId))}
      />
    </Group>
  );
}

type Values = Schemas['RunStep']['output'];

/** State key of the messages to the model. */
const PROMPT = 'messages';
const PARTS = ['output', 'input', 'prompt'] as const;

/** Shows the input of a step, the model's messages, and the step's output. */
function StepState({ runId, checkpointId }: { runId: string; checkpointId: string }) {
  const { t } = useTranslation();
  const [data, instead] = useReady(stepQuery(runId, checkpointId));
  if (instead) return instead;
  const parts: Record<(typeof PARTS)[number], Values> = {
    output: data.output.filter(({ key }) => key !== PROMPT || data.input.length > 0),
    input: data.input.filter(({ key }) => key !== PROMPT),
    prompt: (data.input.length > 0 ? data.input : data.output).filter(({ key }) => key === PROMPT),
  };
  const tabs = PARTS.filter((name) => parts[name].length > 0).map((name) => ({
    name,
    label: t(`stepState.${name}`),
    content: parts[name].map((value) => <Value key={value.key} value={value} />),
  }));
  return tabs.length > 0 && <PageTabs parameter="part" tabs={tabs} />;
}

function Value({ value: { key, json, chars } }: { value: Values[number] }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="xs" fw={600}>
        {key}
      </Text>
      <Code block className="step-value" tabIndex={0}>
        {/* Truncated text cannot be parsed. */}
        {JSON.stringify(jsonOf(json), null, 1) ?? json}
      </Code>
      {chars > json.length && <Hint size="xs">{t('stepState.cut', { shown: json.length, all: chars })}</Hint>}
    </div>
  );
}
