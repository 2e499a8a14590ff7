import { useClickOutside } from '@mantine/hooks';
import { type ComponentProps, type ReactNode, useState, useId } from 'react';
import { Button, Group, Stack, Text, type ButtonProps } from '@mantine/core';
import { useMutation, type Mutation, useIsMutating, useMutationState } from '@tanstack/react-query';
import { ProblemAlert } from './frames';
import { removeLater, type Removal } from '../api/removals';
import { useTranslation } from '../i18n/i18n';

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
  // After the press, not when the focus leaves: the page would move under the pointer, which would miss its target.
  const button = useClickOutside<HTMLButtonElement>(() => setAsked(false), ['click', 'keyup']);
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
        onKeyUp={({ key }) => key === 'Escape' && setAsked(false)}
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

const SMALL = { size: 'xs', variant: 'default' } as const;

interface SmallButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  label: string;
  /** The object of the action, for screen readers; omitted if the label names it. */
  name?: string;
  /** Whether there is nothing to do now. The button then keeps the focus, which a disabled one would lose. */
  isIdle?: boolean;
}

/** A button that looks like one of several actions next to each other. */
export const SmallButton = ({ label, name, isIdle = false, onClick, ...look }: SmallButtonProps) => (
  <Button
    {...SMALL}
    aria-label={name && `${label}: ${name}`}
    {...(isIdle ? { 'aria-disabled': true, 'data-disabled': true } : { onClick })}
    {...look}
  >
    {label}
  </Button>
);

interface ActionButtonProps extends ButtonProps {
  label: string;
  'aria-label'?: string;
  /** Whether it looks like one of several actions next to each other: small and grey. */
  isSmall?: boolean;
  /** Actions of which only one can be in progress. */
  group?: string;
  /** @throws ApiProblem */
  act: () => Promise<unknown>;
}

/** Returns an action, whether it or another one of its group is in progress, and why it failed, until a later one succeeds. */
function useAction(act: () => Promise<unknown>, group?: string) {
  const own = useId();
  const mutationKey = [group ?? own];
  const { mutate, isPending, error, submittedAt } = useMutation({ mutationKey, mutationFn: act });
  const isBusy = useIsMutating({ mutationKey }) > 0;
  const done = {
    filters: { status: 'success' },
    select: ({ state }: Mutation) => state.submittedAt,
  } as const;
  const isOld = useMutationState(done).some((at) => at > submittedAt);
  return { mutate, isPending, isBusy, problem: error && !isOld && <ProblemAlert error={error} /> };
}

/** A button that shows that its action is not finished, or why it failed. */
export function ActionButton(props: ActionButtonProps) {
  const { label, act, group, isSmall = false, loading = false, disabled = false, ...look } = props;
  const { mutate, isPending, isBusy, problem } = useAction(act, group);
  return (
    <>
      <Button
        {...(isSmall && SMALL)}
        {...look}
        loading={loading || isPending}
        disabled={disabled || (isBusy && !isPending)}
        onClick={() => mutate()}
      >
        {label}
      </Button>
      {problem}
    </>
  );
}

type ConfirmedActionProps = Omit<ComponentProps<typeof ConfirmButton>, 'onConfirm' | 'loading'> &
  Pick<ActionButtonProps, 'act'>;

/** Does something that cannot be undone, on a second press. */
export function ConfirmedAction({ act, ...look }: ConfirmedActionProps) {
  const { mutate, isPending, problem } = useAction(act);
  return (
    <>
      <ConfirmButton {...look} loading={isPending} onConfirm={() => mutate()} />
      {problem}
    </>
  );
}

type RemoveButtonProps = Omit<ConfirmedActionProps, 'label' | 'confirm'>;

/** Removes something that cannot be restored, on a second press. */
export function RemoveButton(props: RemoveButtonProps) {
  const { t } = useTranslation();
  return <ConfirmedAction label={t('knowledge.remove')} confirm={t('knowledge.removeNow')} {...props} />;
}

/** Removes an item of a list; that can be undone for a while. */
export function RemoveLaterButton(removal: Removal) {
  const { t } = useTranslation();
  return (
    <SmallButton
      variant="subtle"
      size="compact-sm"
      label={t('knowledge.remove')}
      name={removal.name}
      onClick={() => removeLater(removal)}
    />
  );
}
