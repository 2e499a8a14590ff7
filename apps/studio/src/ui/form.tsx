import type { ComponentProps } from 'react';

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
