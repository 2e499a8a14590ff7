import { ActionIcon } from '@mantine/core';

interface MoveButtonsProps {
  /** Labels that name the item. */
  labels: { up: string; down: string };
  index: number;
  /** Number of items in the list. */
  count: number;
  onMove: (from: number, to: number) => void;
}

/** Buttons that move an item of a list up and down. */
export const MoveButtons = ({ labels, index, count, onMove }: MoveButtonsProps) =>
  (['up', 'down'] as const).map((name) => {
    const to = name === 'up' ? index - 1 : index + 1;
    return (
      <ActionIcon
        key={name}
        variant="default"
        aria-label={labels[name]}
        disabled={to < 0 || to === count}
        onClick={() => onMove(index, to)}
      >
        {name === 'up' ? '↑' : '↓'}
      </ActionIcon>
    );
  });
