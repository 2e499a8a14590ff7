import { Button, Stack, Text, type ButtonProps } from '@mantine/core';
import { useState } from 'react';

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

/** Executes an irreversible action on a second press; losing focus resets the first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, confirm, name, consequence, loading, disabled, size = 'xs', onConfirm } = props;
  const [isAsked, setAsked] = useState(false);
  const text = isAsked ? confirm : label;
  return (
    <Stack gap={4} align="flex-end">
      <Button
        size={size}
        variant={isAsked ? 'filled' : 'default'}
        color={isAsked ? 'red.9' : undefined}
        loading={loading ?? false}
        disabled={disabled ?? false}
        onBlur={() => setAsked(false)}
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
