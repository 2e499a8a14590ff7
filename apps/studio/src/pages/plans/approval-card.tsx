import { Fieldset, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { giveAnswer, type AnswerValue } from '../../api/decisions';
import { CallTable, InterruptedItems, type ItemAnswers } from './call-table';
import type { Approval, Plan } from '../../api/plans';
import { useMay } from '../../api/session';
import { AnswerBar } from '../../ui/answer-bar';
import { Age } from '../../ui/format';
import { Card, Hint } from '../../ui/frames';
import { useRunWords, usePhrases } from '../../ui/run-words';
import { Passage } from '../../ui/reading/passage';
import { isNotJson } from '../../ui/value-field';
import { StepForm, usePicks, useTools, type Tools } from './step-form';
import { useStepWords } from './step-words';
import { propertiesOf, typeOf } from '#plan/contract/result-places.js';

interface ApprovalCardProps {
  plan: Plan;
  approval: Approval;
}

/** Arguments of the tasks that were edited, by task and name: all of them, also the unchanged ones. */
type Edits = Record<string, Record<string, unknown>>;

type NextTaskView = Approval['context']['next_layer'][number];

/** Returns the arguments that an answer can change: of a `map` with single calls only what changes these. */
const plannedFor = ({ arguments: planned, resolved, calls }: NextTaskView): Record<string, unknown> =>
  calls ? {} : (resolved ?? planned);

/** Values of arguments that were emptied, by type; of any other, the empty text. */
const EMPTY: Record<string, unknown> = { array: [], object: {} };

/** Returns the arguments that differ from the plan, with their steps. */
const changesIn = (tasks: NextTaskView[], edited: Edits, tools: Tools): [NextTaskView, Edits[string]][] =>
  tasks
    .map((task): [NextTaskView, Edits[string]] => {
      const planned = plannedFor(task);
      const values = edited[task.task_id] ?? planned;
      const names = Object.keys({ ...planned, ...values }).filter((name) => values[name] !== planned[name]);
      const schemas = propertiesOf(tools.get(task.tool)?.input ?? {});
      const emptied = (name: string) => EMPTY[typeOf(schemas[name] ?? {})] ?? '';
      return [task, Object.fromEntries(names.map((name) => [name, values[name] ?? emptied(name)]))];
    })
    .filter(([, changes]) => Object.keys(changes).length > 0);

/** Shows the next plan steps, whose arguments can be edited before approval (P2, P5). */
export function ApprovalCard({ plan, approval }: ApprovalCardProps) {
  const { t } = useTranslation();
  const mayEdit = useMay('write') && approval.decision_type !== 'outcome';
  const [edited, setEdited] = useState<Edits>({});
  // Unlike the phrase, the description explains to programs how to answer; the steps themselves are shown anyway.
  const summary = usePhrases()(approval.phrase, approval.description);
  const tasks = approval.context.next_layer;
  return (
    <Card title={t('approvalCard.title')}>
      {approval.deadline !== null && (
        <Hint>
          {t('decision.deadline')} <Age at={approval.deadline} />
        </Hint>
      )}
      {tasks.length > 0 && (
        <details open>
          <summary>{t('approvalCard.next')}</summary>
          <Stack gap="sm" mt="sm">
            {tasks.map((task) => (
              <NextTask
                key={task.task_id}
                sessionId={plan.session_id}
                task={task}
                values={edited[task.task_id] ?? plannedFor(task)}
                onChange={mayEdit ? (values) => setEdited({ ...edited, [task.task_id]: values }) : undefined}
              />
            ))}
          </Stack>
        </details>
      )}
      {(approval.phrase || tasks.length === 0) && (
        <details className="approval-text" open={tasks.length === 0}>
          <summary>{t('approvalCard.summary')}</summary>
          <Passage markdown={summary} />
        </details>
      )}
      <ApprovalAnswers approval={approval} edited={edited} />
    </Card>
  );
}

function ApprovalAnswers({ approval, edited }: { approval: Approval; edited: Edits }) {
  const { t } = useTranslation();
  const tools = useTools();
  if (approval.decision_type === 'outcome') return <OutcomeAnswers approval={approval} />;
  const changes = changesIn(approval.context.next_layer, edited, tools);
  const isWrong = changes.some(([{ tool }, values]) => {
    const schemas = propertiesOf(tools.get(tool)?.input ?? {});
    return Object.entries(values).some(([name, value]) => isNotJson(schemas[name] ?? {}, value));
  });
  const respond = (approved: boolean, feedback: string) => ({
    approved,
    ...(feedback === '' ? {} : { feedback }),
    ...(approved && changes.length > 0
      ? { arguments: Object.fromEntries(changes.map(([{ task_id: id }, values]) => [id, values])) }
      : {}),
  });
  return (
    <AnswerBar
      key="approval"
      give={(answer) => giveAnswer(approval.decision_id, answer as AnswerValue)}
      reasonLabel={t('approvalCard.feedback')}
      choices={(feedback) => [
        { label: t('approvalCard.reject'), answer: respond(false, feedback) },
        {
          label: t('approvalCard.approve'),
          answer: respond(true, feedback),
          isMain: true,
          isDisabled: isWrong,
        },
      ]}
    />
  );
}

function OutcomeAnswers({ approval }: { approval: Approval }) {
  const words = useRunWords();
  const [items, setItems] = useState<ItemAnswers>({});
  const interrupted = approval.context.results.flatMap(({ interrupted_items: some = [] }) => some);
  return (
    <>
      {interrupted.length > 0 && <InterruptedItems items={interrupted} answers={items} onChange={setItems} />}
      <AnswerBar
        give={(action: string) => {
          const hasOwn = Object.keys(items).length > 0 && action !== 'abort';
          return giveAnswer(approval.decision_id, hasOwn ? { action, items } : { action });
        }}
        choices={() => approval.options.map((action) => ({ label: words.choice(action), answer: action }))}
      />
    </>
  );
}

interface NextTaskProps {
  sessionId: string;
  task: NextTaskView;
  values: Record<string, unknown>;
  /** Undefined if the user may only read. */
  onChange: ((values: Record<string, unknown>) => void) | undefined;
}

/** Shows a form for the arguments of a plan step, with the results that it uses filled in. */
function NextTask({ sessionId, task, values, onChange }: NextTaskProps) {
  const { t } = useTranslation();
  const words = useStepWords();
  const tools = useTools();
  const picks = usePicks(sessionId);
  const { task_id: id, tool, side_effects: hasEffects, missing, purpose, calls } = task;
  const notes = [
    purpose,
    hasEffects && t('approvalCard.sideEffects'),
    missing.length > 0 && t('approvalCard.missing', { names: missing.map(words.argument(tool)).join(', ') }),
  ];
  return (
    <Fieldset
      legend={`${words.title({ tool, arguments: { ...task.arguments, ...values } })} (${id})`}
      role="group"
    >
      <Hint children={notes.filter(Boolean).join(' ')} />
      {calls && (
        <CallTable calls={calls} onChange={onChange && ((changes) => onChange({ ...values, ...changes }))} />
      )}
      {(!calls || missing.length > 0) && (
        <StepForm
          tool={tools.get(tool)}
          values={values}
          asked={missing}
          isOpen={!calls}
          picks={picks}
          tools={tools}
          onChange={onChange}
        />
      )}
    </Fieldset>
  );
}
