// Runs before the program in the portable binary. Its head moved the person's DENO_* variables out
// of Deno's way and set its own; the program and what it starts see the environment as it was.
const MOVED = "CORDON_OUTER_";

for (const name of ["DENO_DIR", "DENO_NO_PACKAGE_JSON", "DENO_NO_UPDATE_CHECK"]) {
  Deno.env.delete(name);
}
for (const [name, value] of Object.entries(Deno.env.toObject())) {
  if (!name.startsWith(`${MOVED}DENO_`)) continue;
  Deno.env.delete(name);
  Deno.env.set(name.slice(MOVED.length), value);
}
