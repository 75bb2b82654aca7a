"""The fragment of Coq that proofs stay in: what may be imported, declared and used. Everything else is refused.

Coq 8.16 accepts a proof of False by a recursive definition under a match (rocq issue 20455), with no axiom to be seen. So the fragment has
no recursion of its own: recursion and induction come from the standard library. Nor has it flags, attributes, notations, plugins,
universes, primitive types or casts to another machine of reduction, which the kernel's other known bugs need.
"""

from __future__ import annotations

MODULES = frozenset({"ZArith", "List", "Lia"})
"""Modules of Coq's standard library that may be imported."""

NAMESPACES = frozenset({"ListNotations"})
"""Modules that may be opened by Import alone: notations of lists."""

SCOPES = frozenset({"Z_scope"})

ASSERTIONS = frozenset({"Lemma", "Theorem", "Example"})
"""What begins a proof, which ends with Qed."""

DEFINITIONS = frozenset({"Definition", "Inductive", "Record"})
"""What defines a name by a term (:mod:`verifier.kernel.terms`), not by tactics, and not by itself."""

LIBRARY = frozenset(
    {
        *("Prop", "Set", "False", "True", "Z", "bool", "false", "list", "nat", "option", "None", "Some", "S", "true", "I", "eq_refl"),
        *("Forall", "In", "NoDup", "combine", "concat", "filter", "flat_map", "fold_left", "fold_right", "fst", "hd", "last", "length"),
        *("list_eq_dec", "map", "nth", "option_map", "proj1", "removelast", "repeat", "seq", "snd"),
    }
)
"""Names of the standard library that may stand in a declaration, beside the names of its :data:`QUALIFIERS`. No folder declares them
again."""

QUALIFIERS = frozenset({"Z", "Nat"})
"""Modules of the standard library whose names stand behind theirs: ``Z.min``. No module of a folder is called so."""

CONSTRUCTORS = frozenset({"Some", "None", "true", "false", "S", "O", "I", "nil", "pair"})
"""Of the library: a pattern with another name that is no constructor binds it."""

TACTICS = frozenset(
    {
        *(
            "apply",
            "assert",
            "assumption",
            "case",
            "cbn",
            "cbv",
            "change",
            "clear",
            "clearbody",
            "constructor",
            "contradiction",
            "destruct",
        ),
        *(
            "discriminate",
            "eexists",
            "exact",
            "exfalso",
            "exists",
            "f_equal",
            "fold",
            "generalize",
            "induction",
            "injection",
            "intro",
            "intros",
        ),
        *("left", "lia", "pose", "reflexivity", "replace", "revert", "rewrite", "right", "ring", "set", "simpl", "specialize", "split"),
        *("subst", "symmetry", "tauto", "trivial", "unfold"),
    }
)
"""Tactics that may stand at the head of a step. They build terms that the kernel checks."""

TACTICALS = frozenset({"try", "repeat", "now", "do"})
"""They take a tactic, after a number for ``do``."""

REFUSED = {
    "fix": "recursion of its own",
    "cofix": "recursion of its own",
    "ltac": "a tactic inside a term",
    "ltac2": "a tactic inside a term",
    "Type": "universes",
    "SProp": "strict propositions",
    "Defined": "a proof that computes",
    "vm_compute": "the virtual machine",
    "native_compute": "compiled code",
    "lazy": "a machine of reduction",
    "compute": "a machine of reduction",
    "vm_cast_no_check": "the virtual machine",
    "native_cast_no_check": "compiled code",
    "exact_no_check": "a term that is not checked",
    "refine": "a term with holes, which may be recursive",
    "admit": "an axiom",
    "Uint63": "primitive types",
    "Int63": "primitive types",
    "Sint63": "primitive types",
    "PrimInt63": "primitive types",
    "PrimFloat": "primitive types",
    "PArray": "primitive types",
    "<:": "the virtual machine",
    "<<:": "compiled code",
    "@": "explicit arguments or universes",
    "where": "a notation",
}
"""Words that may stand nowhere in a source, each with what it brings in. Heads that are not listed above are refused anyway."""
