/** The handler for `onSubmit` of a form that hands its fields to `run`, in place of the request of the browser. */
export function submitting(run: (form: FormData) => unknown) {
  return (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    void run(new FormData(event.currentTarget));
  };
}
