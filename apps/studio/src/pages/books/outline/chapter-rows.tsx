import { ActionIcon, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type DragEvent, type KeyboardEvent } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import type { OutlineWork, Row } from './use-outline';
import { Hint } from '../../../ui/frames';
import { textProps, SmallButton } from '../../../ui/actions';
import { MoveButtons } from '../../../ui/move-buttons';

/**
 * Shows the chapters as cards that can be moved by dragging, by arrow buttons, or by Alt and an arrow key.
 */
export function ChapterRows({ outline }: { outline: OutlineWork }) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<number | null>(null);
  const [removed, setRemoved] = useState<{ row: Row; at: number } | null>(null);
  const [told, setTold] = useState('');
  const move = (from: number, to: number) => {
    const title = outline.rows[from]?.chapter.title ?? '';
    outline.move(from, to);
    if (to >= 0 && to < outline.rows.length) setTold(t('outline.moved', { title, place: to + 1 }));
  };
  return (
    <Stack gap="sm">
      <Text className="visually-hidden" role="status">
        {told}
      </Text>
      <ol className="plain-list" aria-label={t('outline.chapters')}>
        {outline.rows.map((row, index) => (
          <li
            key={row.key}
            data-dragged={dragged === index}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={() => {
              if (dragged !== null) move(dragged, index);
              setDragged(null);
            }}
          >
            <ChapterRow
              row={row}
              index={index}
              count={outline.rows.length}
              outline={outline}
              onMove={move}
              onDrag={setDragged}
              onRemove={() => {
                setRemoved({ row, at: index });
                outline.remove(row.key);
              }}
            />
          </li>
        ))}
      </ol>
      {removed && (
        <Group role="status">
          <Text size="sm">{t('outline.removed', { title: removed.row.chapter.title })}</Text>
          <SmallButton
            label={t('outline.putBack')}
            onClick={() => {
              outline.insert(removed.row, removed.at);
              setRemoved(null);
            }}
          />
        </Group>
      )}
    </Stack>
  );
}

interface ChapterRowProps {
  row: Row;
  index: number;
  count: number;
  outline: OutlineWork;
  onMove: (from: number, to: number) => void;
  onDrag: (index: number | null) => void;
  onRemove: () => void;
}

function ChapterRow({ row, index, count, outline, onMove, onDrag, onRemove }: ChapterRowProps) {
  const { t } = useTranslation();
  const { title } = row.chapter;
  const byKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  };
  const startDrag = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', title);
    onDrag(index);
  };
  return (
    <Paper withBorder p="sm" onKeyDown={byKey}>
      <Group wrap="nowrap" align="flex-start">
        <span
          className="drag-handle"
          draggable
          onDragStart={startDrag}
          onDragEnd={() => onDrag(null)}
          title={t('outline.drag')}
          aria-hidden
        >
          ⠿
        </span>
        <ChapterFields row={row} number={index + 1} outline={outline} />
        <Stack gap={4}>
          <MoveButtons
            labels={{ up: t('outline.up', { title }), down: t('outline.down', { title }) }}
            {...{ index, count, onMove }}
          />
          <ActionIcon
            variant="default"
            aria-label={t('outline.remove', { title })}
            disabled={count === 1}
            onClick={onRemove}
          >
            ✕
          </ActionIcon>
        </Stack>
      </Group>
    </Paper>
  );
}

function ChapterFields({ row, number, outline }: { row: Row; number: number; outline: OutlineWork }) {
  const { t } = useTranslation();
  const { title, summary = '', sections = [] } = row.chapter;
  return (
    <Stack gap={4} flex={1}>
      <TextInput
        aria-label={t('outline.titleOf', { number: number })}
        leftSection={<Text size="sm">{number}</Text>}
        maxLength={300}
        {...textProps(title, (typed) => outline.change(row.key, { title: typed }))}
      />
      <Textarea
        aria-label={t('outline.summaryOf', { number: number })}
        placeholder={t('outline.summary')}
        minRows={1}
        maxRows={8}
        maxLength={4_000}
        {...textProps(summary, (typed) => outline.change(row.key, { summary: typed }))}
      />
      {sections.length > 0 && <Hint size="xs">{sections.map((section) => section.title).join(' · ')}</Hint>}
    </Stack>
  );
}
