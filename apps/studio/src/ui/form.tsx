import type { ComponentProps, ReactNode } from 'react';
import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ProblemAlert } from './ready';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => unknown;
}

/** A form that the page itself submits. */
export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  />
);

/** Returns the properties of a field for text: what it shows, and a function that receives what is typed. */
export const textProps = (value: string, onChange: (typed: string) => void) => ({
  value,
  onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
});

/** Returns the properties of a box or switch: whether it is set, and a function that receives that. */
export const checkProps = (checked: boolean, onChange: (checked: boolean) => void) => ({
  checked,
  onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) => onChange(currentTarget.checked),
});

interface SendFormProps {
  /** Label of the button. */
  label: string;
  isDisabled?: boolean;
  /** Sends what is typed. @throws ApiProblem */
  send: () => Promise<unknown>;
  children: ReactNode;
}

/** A form with a button that sends it, and why that failed. */
export function SendForm({ label, isDisabled = false, send, children }: SendFormProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: send });
  return (
    <Form onSubmit={() => mutate()}>
      <Stack>
        {children}
        {error && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={isDisabled}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
