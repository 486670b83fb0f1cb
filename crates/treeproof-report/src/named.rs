//! Enums whose JSON is one word per variant.

/// Defines an enum with the words of its variants, for JSON and as `name`.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $enum {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl $enum {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant,)*];

            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

pub(crate) use named;
