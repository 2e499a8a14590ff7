import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { formatDuration, formatNumber } from '../../ui/format';
import { useRunWords } from '../../ui/run-words';
import { VirtualListbox } from '../../ui/virtual-listbox';
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
  const words = useRunWords();
  const begin = steps[0]?.from ?? 0;
  const whole = Math.max(1, (steps.at(-1)?.to ?? 1) - begin);
  if (steps.length === 0) return <Text c="dimmed">{t('run.noSteps')}</Text>;
  const row = (step: Step) => (
    <>
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
    </>
  );
  return (
    <VirtualListbox
      label={t('run.steps')}
      className="timeline"
      count={steps.length}
      rowHeight={36}
      chosen={steps.findIndex(({ seq }) => seq === selected)}
      onChoose={(row) => onSelect(steps[row]!.seq)}
      row={(index) => ({
        id: `step-${steps[index]!.seq}`,
        className: 'timeline-row',
        children: row(steps[index]!),
      })}
    />
  );
}
