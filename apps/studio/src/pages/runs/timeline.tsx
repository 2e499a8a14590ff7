import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { formatDuration, formatNumber } from '../../ui/format';
import { useRunWords } from '../../ui/run-words';
import { ListboxFrame, useVirtualListbox } from '../../ui/virtual-listbox';
import type { Step } from './steps';

interface TimelineProps {
  steps: Step[];
  /** `seq` of the selected step. */
  selected: number | null;
  onSelect: (seq: number) => void;
}

/** Shows steps and waits as bars on the run's time axis. */
export function Timeline({ steps, selected, onSelect }: TimelineProps) {
  const { t } = useTranslation();
  const chosen = steps.findIndex(({ seq }) => seq === selected);
  const list = useVirtualListbox({
    count: steps.length,
    rowHeight: 36,
    chosen,
    onChoose: (row) => onSelect(steps[row]!.seq),
  });
  const begin = steps[0]?.from ?? 0;
  const whole = Math.max(1, (steps.at(-1)?.to ?? 1) - begin);
  if (steps.length === 0) return <Text c="dimmed">{t('run.noSteps')}</Text>;
  return (
    <ListboxFrame
      list={list}
      label={t('run.steps')}
      activeId={chosen >= 0 ? `step-${selected}` : undefined}
      className="timeline"
    >
      {list.rows.map(({ key, index, start }) => (
        <Row
          key={key}
          step={steps[index]!}
          top={start}
          begin={begin}
          whole={whole}
          isSelected={index === chosen}
          onSelect={onSelect}
        />
      ))}
    </ListboxFrame>
  );
}

interface RowProps {
  step: Step;
  /** Pixels from the top of the list. */
  top: number;
  /** Start and duration of the run, in milliseconds. */
  begin: number;
  whole: number;
  isSelected: boolean;
  onSelect: (seq: number) => void;
}

function Row({ step, top, begin, whole, isSelected, onSelect }: RowProps) {
  const { t } = useTranslation();
  const words = useRunWords();
  return (
    <div
      id={`step-${step.seq}`}
      role="option"
      aria-selected={isSelected}
      className="timeline-row"
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(step.seq)}
    >
      <span className="timeline-name">
        {step.kind === 'wait'
          ? t('run.waitsFor', { what: words.question(step.name) })
          : words.node(step.name)}
      </span>
      <span className="timeline-track">
        <span
          className="timeline-bar"
          data-wait={step.kind === 'wait'}
          style={{
            left: `${((step.from - begin) / whole) * 100}%`,
            width: `${Math.max(0.4, ((step.to - step.from) / whole) * 100)}%`,
          }}
        />
      </span>
      <span className="timeline-figure">
        {step.isOpen ? t('run.stillWaits') : formatDuration(step.to - step.from)}
      </span>
      <span className="timeline-figure timeline-tokens">
        {step.tokens > 0 ? t('run.tokens', { tokens: formatNumber(step.tokens) }) : ''}
      </span>
    </div>
  );
}
