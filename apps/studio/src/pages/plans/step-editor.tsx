import { Checkbox, Group, MultiSelect } from '@mantine/core';
import { earlierSteps } from '#plan/contract/editing.js';
import { useTranslation } from '../../i18n/i18n';
import type { PlanTask } from '../../api/plans';
import { Card, Hint } from '../../ui/frames';
import { checkProps, SmallButton } from '../../ui/actions';
import { useRunWords } from '../../ui/run-words';
import type { Picks } from '../../ui/value-field';
import { Notes } from './planning-note';
import { ResultSelect, StepForm, type Tools } from './step-form';
import { useStepWords } from './step-words';

interface StepEditorProps {
  task: PlanTask;
  tasks: readonly PlanTask[];
  tools: Tools;
  picks: Picks;
  warnings: readonly string[];
  onChange: (task: PlanTask) => void;
  onRemove: () => void;
}

/** Edits a step of a plan that has not started: its arguments, what it waits for, and whether a person approves it. */
export function StepEditor({ task, tasks, tools, picks, warnings, onChange, onRemove }: StepEditorProps) {
  const { t } = useTranslation();
  const words = useStepWords();
  const tool = tools.get(task.tool);
  const earlier = earlierSteps(tasks, task.id);
  return (
    <Card title={words.title(task)} component="article">
      <Hint>{useRunWords().tool(task.tool) || tool?.description || task.tool}</Hint>
      {warnings.length > 0 && <Notes title={t('plans.warnings')} notes={warnings} colour="yellow" />}
      <StepForm
        key={task.id}
        tool={tool}
        values={task.arguments}
        picks={picks}
        earlier={earlier}
        tools={tools}
        onChange={(values) => onChange({ ...task, arguments: values })}
      />
      <ResultSelect
        label={t('plans.onlyIf')}
        value={task.when}
        required={false}
        schema={{ type: 'boolean' }}
        {...{ earlier, tools }}
        onChange={(when) => {
          const { when: _, ...always } = task;
          onChange(when ? { ...always, when: when as NonNullable<PlanTask['when']> } : always);
        }}
      />
      <MultiSelect
        label={t('plans.runsAfter')}
        data={earlier.map((each) => ({ value: each.id, label: `${words.title(each)} (${each.id})` }))}
        value={task.depends_on}
        onChange={(ids) => onChange({ ...task, depends_on: ids })}
      />
      <Checkbox
        label={t('plans.approveFirst')}
        disabled={tool?.side_effects === true}
        {...checkProps(task.needs_approval === true || tool?.side_effects === true, (checked) =>
          onChange({ ...task, needs_approval: checked }),
        )}
      />
      <Group>
        <SmallButton label={t('plans.removeStep')} onClick={onRemove} />
      </Group>
    </Card>
  );
}
