import { Button, Stack, Text, type ButtonProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface ConfirmButtonProps {
  label: string;
  /** Label after the first press. */
  confirm: string;
  /** The object of the action, for screen readers; omitted if the label names it. */
  name?: string;
  /** Consequence of the second press; shown after the first. */
  consequence?: string;
  loading?: boolean;
  disabled?: boolean;
  size?: ButtonProps['size'];
  onConfirm: () => void;
}

/** Executes an irreversible action on a second press; Escape, or a press or a key elsewhere, resets the first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, confirm, name, consequence, loading, disabled, size = 'xs', onConfirm } = props;
  const [isAsked, setAsked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isAsked) return undefined;
    // After the press, not when the focus leaves: the page would move under the pointer, which would miss its target.
    const reset = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (isEscape || !button.current?.contains(event.target as Node)) setAsked(false);
    };
    document.addEventListener('click', reset);
    document.addEventListener('keyup', reset);
    return () => {
      document.removeEventListener('click', reset);
      document.removeEventListener('keyup', reset);
    };
  }, [isAsked]);
  const text = isAsked ? confirm : label;
  return (
    <Stack gap={4} align="flex-end">
      <Button
        ref={button}
        size={size}
        variant={isAsked ? 'filled' : 'default'}
        color={isAsked ? 'red.9' : undefined}
        loading={loading ?? false}
        disabled={disabled ?? false}
        // Escape then resets the button instead of closing the dialog around it.
        data-mantine-stop-propagation={isAsked}
        onClick={() => {
          if (isAsked) onConfirm();
          setAsked(!isAsked);
        }}
        {...(name !== undefined && { 'aria-label': `${text}: ${name}` })}
      >
        {text}
      </Button>
      {consequence !== undefined && isAsked && (
        <Text size="sm" role="alert" maw={360} ta="right">
          {consequence}
        </Text>
      )}
    </Stack>
  );
}
