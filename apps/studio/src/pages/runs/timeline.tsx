import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration, formatNumber } from '../../ui/format';
import type { Step } from './steps';

interface TimelineProps {
  steps: Step[];
  /** The seq of the step that is looked at. */
  selected: number | null;
  onSelect: (seq: number) => void;
}

/** Steps and waits as bars over the time of the run; only those in view are in the page. */
export function Timeline({ steps, selected, onSelect }: TimelineProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: steps.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 36,
    overscan: 20,
  });
  const chosen = steps.findIndex(({ seq }) => seq === selected);
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen, { align: 'auto' });
  }, [chosen, rows]);
  const begin = steps[0]?.from ?? 0;
  const whole = Math.max(1, (steps.at(-1)?.to ?? 1) - begin);
  const byKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = steps[Math.min(steps.length - 1, Math.max(0, chosen + step))];
    if (next) onSelect(next.seq);
  };
  if (steps.length === 0) return <Text c="dimmed">{t('run.noSteps')}</Text>;
  return (
    <div
      ref={frame}
      className="scroll-frame timeline"
      role="listbox"
      aria-label={t('run.steps')}
      aria-activedescendant={chosen >= 0 ? `step-${selected}` : undefined}
      tabIndex={0}
      onKeyDown={byKey}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
        {rows.getVirtualItems().map((row) => {
          const step = steps[row.index]!;
          return (
            <Row
              key={row.key}
              step={step}
              top={row.start}
              begin={begin}
              whole={whole}
              isSelected={step.seq === selected}
              onSelect={onSelect}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  step: Step;
  /** Pixels from the top of the list. */
  top: number;
  /** When the run began, and for how long it went, in milliseconds. */
  begin: number;
  whole: number;
  isSelected: boolean;
  onSelect: (seq: number) => void;
}

function Row({ step, top, begin, whole, isSelected, onSelect }: RowProps) {
  const { t } = useTranslation();
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
        {step.kind === 'wait' ? t('run.waitsFor', { what: step.name }) : step.name}
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
