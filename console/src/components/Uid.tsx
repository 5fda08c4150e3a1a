type UidProps = { readonly uid: string; readonly display_name: string };

/** The uid of an app or a user in a line below the name; nothing where it is the name. */
export function Uid({ uid, display_name: name }: UidProps) {
  if (uid === name) return null;
  return (
    <code class="uid" dir="auto">
      {uid}
    </code>
  );
}
